"""What the project promises about itself: its commands, its layers, its documents, its packages."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from argparse import ArgumentParser
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bookboard.cli import main
from bookboard.config import add_options

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "server" / "bookboard"

LONG_FILES_WITH_A_REASON = {
    "rules/spades/settings.py": "one list of 32 settings, each declared in full, in the rulebook's order",
}


@cache
def tracked() -> tuple[Path, ...]:
    """The files of the project: those in git, or not yet in git and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return tuple(path for path in paths if path.is_file())


def documents() -> list[Path]:
    return [path for path in tracked() if path.suffix == ".md" and "vendor" not in path.parts]


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def code_blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)


# ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_readme_begins_with_the_two_commands_and_a_picture() -> None:
    first_screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:30])
    assert "make serve" in first_screen
    assert "make test" in first_screen
    assert "](docs/board.png)" in first_screen


def test_every_make_command_in_the_documents_is_a_target() -> None:
    for document in documents():
        named = set(re.findall(r"(?:^|`)make ([a-z][a-z-]*)", document.read_text(), re.MULTILINE))
        assert named <= make_targets(), document


def test_every_target_with_a_description_is_declared_phony() -> None:
    text = (ROOT / "Makefile").read_text()
    phony = set(re.findall(r"[a-z-]+", " ".join(re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE))))
    assert set(re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE)) <= phony


def test_commands_in_the_documents_answer_as_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for document in documents():
        for block in code_blocks(document, "console"):
            command, _, shown = block.partition("\n")
            words = command.removeprefix("$ .venv/bin/bookboard ").split()
            main(words)
            assert capsys.readouterr().out == shown, f"{document.name}: {command}"


def test_options_of_serve_in_documents_and_deployment_exist() -> None:
    parser = ArgumentParser()
    add_options(parser)
    offered = parser.format_help()
    named: set[str] = set()
    for path in [*documents(), ROOT / "docker-compose.yml", *(p for p in tracked() if ROOT / "deploy" in p.parents)]:
        for line in re.findall(r"\bserve\b.*(?:\n +- --.*)*", path.read_text()):
            named |= set(re.findall(r"(?<![\w-])--[a-z-]+", line))
    assert {"--redis", "--url", "--data"} <= named
    assert not {option for option in named - {"--help"} if f"{option} " not in offered}


def test_ci_runs_the_checks_and_the_tests_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert re.search(r"^make --keep-going check\b", script, re.MULTILINE)
    assert re.search(r"^make test\b", script, re.MULTILINE)


# ── layers and sizes ────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_module_has_its_place_in_the_layers() -> None:
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    (layers,) = [c["layers"] for c in contracts if c["name"] == "Imports point one way"]
    placed = {name.strip() for layer in layers for name in layer.split("|")}
    found = {
        f"bookboard.{path.stem}"
        for path in SOURCES.iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").exists()) and not path.name.startswith("_")
    }
    found |= {f"bookboard.hub.{path.name}" for path in (SOURCES / "hub").iterdir() if (path / "__init__.py").exists()}
    assert found - {"bookboard.hub"} <= placed


def test_a_source_file_past_400_lines_has_a_reason() -> None:
    long = {
        str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py") if len(path.read_text().splitlines()) > 400
    }
    assert long <= LONG_FILES_WITH_A_REASON.keys()


# ── what the files say ──────────────────────────────────────────────────────────────────────────────────────────────


def test_no_file_names_a_machine_or_a_registry() -> None:
    names = re.compile(
        rb"/(?:root|work|farm)/\w|registry\.npm"
        rb"js|pypi\.or"
        rb"g|python"
        rb"hosted|deb\.debian"
    )
    for path in tracked():
        if path != Path(__file__):
            found = names.search(path.read_bytes())
            assert not found, f"{path.relative_to(ROOT)}: {found[0]!r}"


def heading_anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_in_the_documents_lead_somewhere() -> None:
    for document in documents():
        for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (document.parent / name).resolve() if name else document
            assert target.exists(), f"{document.relative_to(ROOT)} → {link}"
            if anchor:
                assert anchor in heading_anchors(target), f"{document.relative_to(ROOT)} → {link}"


def test_files_named_in_the_architecture_exist() -> None:
    for document in (ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"):
        for name in re.findall(r"`((?:server|web|tests|deploy|docs|tools)/[\w./-]*)`", document.read_text()):
            assert (ROOT / name).exists(), f"{document.name} names {name}"


def test_every_module_is_in_the_architecture_or_its_folder_is() -> None:
    named = set(re.findall(r"`(server/[\w./-]+)`", (ROOT / "ARCHITECTURE.md").read_text()))
    for path in SOURCES.rglob("*.py"):
        module = path.relative_to(ROOT)
        folders = {f"{folder}/" for folder in module.parents if folder.as_posix() != "server/bookboard"}
        assert path.name.startswith("__") or {str(module), *folders} & named, module


def test_python_in_the_documents_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for document in documents():
        names: dict[str, object] = {"__name__": document.stem}
        for block in code_blocks(document, "python"):
            exec(compile(block, str(document), "exec"), names)
    capsys.readouterr()


# ── packages ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_requirement_is_pinned_within_its_range() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {canonicalize_name(n): v for n, v in (line.split("==") for line in lines if not line.startswith("#"))}
    project = pyproject()
    for wanted in [*project["project"]["dependencies"], *(r for g in project["dependency-groups"].values() for r in g)]:
        requirement = Requirement(wanted)
        assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, wanted


def test_the_wheel_carries_the_pages_and_the_types_marker(tmp_path: Path) -> None:
    build = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        carried = set(archive.namelist())
    pages = {f"bookboard/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "web").rglob("*.*") if path.is_file()}
    assert {name for name in pages if not name.rpartition("/")[2].startswith(".")} <= carried
    assert "bookboard/py.typed" in carried
    assert not {name for name in carried if name.startswith(("tests/", "tools/", "server/"))}
    assert not {name for name in carried if name.endswith(("typescript.py", "reference.py", "schema.py"))}


# ── deployment ──────────────────────────────────────────────────────────────────────────────────────────────────────


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "docker-compose.yml").read_text()))


def test_the_compose_file_follows_the_compose_specification() -> None:
    schema = files("check_jsonschema").joinpath("builtin_schemas", "vendor", "compose-spec.json")
    jsonschema.validate(compose(), json.loads(schema.read_text()))


def test_every_compose_service_is_watched_and_confined() -> None:
    for name, service in compose()["services"].items():
        assert service["healthcheck"]["test"], name
        assert service["read_only"] is True, name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["cap_drop"] == ["ALL"], name


def test_redis_is_set_to_keep_what_it_acknowledged() -> None:
    directives = dict(
        line.split(maxsplit=1)
        for line in (ROOT / "deploy" / "redis.conf").read_text().splitlines()
        if line and not line.startswith("#")
    )
    assert directives["appendonly"] == "yes"
    assert directives["appendfsync"] == "always"
    assert directives["maxmemory-policy"] == "noeviction"


def test_kubernetes_manifests_name_their_kind_and_fit_together() -> None:
    manifests = [
        m for path in (ROOT / "deploy" / "kubernetes").glob("*.yaml") for m in yaml.safe_load_all(path.read_text())
    ]
    services = {m["metadata"]["name"]: m["spec"] for m in manifests if m["kind"] == "Service"}
    pods = [
        m["spec"]["template"]["metadata"]["labels"] for m in manifests if m["kind"] in {"Deployment", "StatefulSet"}
    ]
    for name, service in services.items():
        assert any(service["selector"].items() <= labels.items() for labels in pods), name
    for ingress in (m for m in manifests if m["kind"] == "Ingress"):
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                assert path["backend"]["service"]["name"] in services
