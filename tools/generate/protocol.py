"""The protocol's reference, made from the messages: `make types` brings `docs/` up to date.

Of `docs/protocol.md` it writes what stands between `<!-- made: … -->` and `<!-- end -->`; `docs/asyncapi.yaml` it
writes whole. With `--check` nothing is written; the exit status is 1 when a file is not what the messages say.
"""

import ast
import json
import re
import sys
from collections.abc import Callable, Iterable
from inspect import cleandoc, getsource
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args

import msgspec
import yaml
from msgspec import inspect

from bookboard.log.refusals import HUB_CODES, TABLE_CODES
from bookboard.log.tagged import Tagged, snake_case
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import CODECS
from bookboard.protocol.messages import FromClient, FromServer, Resume
from bookboard.room.commands import AnyCommand
from bookboard.room.events import AnyEvent
from tools.generate.examples import examples, written
from tools.generate.typescript import Interfaces, struct_of

DOCS = Path(__file__).parents[2] / "docs"
TEXTS = DOCS.parent / "web" / "i18n" / "en.json"
FACT = re.compile(r"\{([a-z_]+)")
MADE = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────────────


def described(kinds: Iterable[type], family: str) -> str:
    """Tagged types: what each says of itself, its members with their types, and an example."""
    interfaces = Interfaces()
    parts = []
    for kind in kinds:
        struct = inspect.type_info(kind)
        assert isinstance(struct, inspect.StructType)
        sent_by_client = family != "server"
        members = [f"`type: {json.dumps(struct.tag)}`"]
        for field in struct.fields:
            mark = "" if field.required or not sent_by_client else "?"
            type_name = interfaces.type_of(field.type, sent_by_client=sent_by_client)
            shown = "Command" if field.name == "command" else type_name
            members.append(f"`{field.encode_name}{mark}: {shown}`")
        notes = [f"- `{name}`: {' '.join(text.split())}" for name, text in field_docs(struct_of(kind)).items()]
        shown = "\n".join(written(example) for example in examples()[f"{family}: {struct.tag}"])
        about = [text for text in (*description(kind), "\n".join(notes)) if text]
        parts.append("\n\n".join([f"### `{struct.tag}`", ", ".join(members), *about, f"```json\n{shown}\n```"]))
    return "\n" + "\n\n".join(parts) + "\n\n"


def description(kind: type) -> list[str]:
    """A type's own description, by paragraphs."""
    text = cleandoc(struct_of(kind).__dict__.get("__doc__") or "")
    return [] if text.startswith(f"{struct_of(kind).__name__}(") else text.split("\n\n")


def field_docs(kind: type) -> dict[str, str]:
    """What stands under a class's fields, which Python does not keep."""
    (body,) = ast.parse(dedent(getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: cleandoc(text.value.value)
        for field, text in pairwise(body.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }


def types() -> str:
    """Everything that messages hold, as interfaces of TypeScript: what clients send, the state, what changes of it."""
    parts = []
    interfaces = Interfaces()
    for kind, sent_by_client in ((Resume, True), *((kind, False) for kind in get_args(FromServer))):
        interfaces.type_of(inspect.type_info(kind), sent_by_client=sent_by_client)
    for name, text in interfaces.written.items():
        kind = interfaces.kinds.get(name)
        if kind is None or issubclass(kind, Tagged):
            continue
        notes = field_docs(kind)
        lines = [f"// {line}" for part in description(kind) for line in part.splitlines()]
        for line in text.replace("export ", "").rstrip().splitlines():
            note = notes.get(line.strip().split(":")[0].rstrip("?"))
            lines.append(f"{line} // {' '.join(note.split())}" if note else line)
        parts.append("\n".join(lines))
    json_type = "type Json = boolean | number | string | null | Json[] | { [key: string]: Json };"
    return "```ts\n" + "\n\n".join([json_type, *parts]) + "\n```\n"


def refusals() -> str:
    """Codes with the facts that the pages' texts use; those of records stand in `docs/rules/lines.md`."""
    texts = json.loads(TEXTS.read_text(encoding="utf-8"))["refusals"]
    rows = []
    for code, meaning in (*TABLE_CODES.items(), *HUB_CODES.items()):
        facts = ", ".join(f"`{fact}`" for fact in dict.fromkeys(FACT.findall(str(texts.get(code, "")))))
        rows.append(f"| `{code}` | {meaning} | {facts} |")
    return "\n".join(["| code | | facts |", "| --- | --- | --- |", *rows]) + "\n"


def closings() -> str:
    rows = [f"| {closing.code} | `{closing.word}` | {closing.meaning} |" for closing in Closing]
    return "\n".join(["| code | `bye` | |", "| --- | --- | --- |", *rows]) + "\n"


def kinds() -> str:
    return ", ".join(f"`{snake_case(event.__name__)}`" for event in get_args(AnyEvent)) + ".\n"


PARTS: dict[str, Callable[[], str]] = {
    "from-client": lambda: described(get_args(FromClient), "client"),
    "commands": lambda: described(get_args(AnyCommand), "command"),
    "from-server": lambda: described(get_args(FromServer), "server"),
    "types": types,
    "kinds": kinds,
    "refusals": refusals,
    "closing": closings,
}


def reference(written: str) -> str:
    """`docs/protocol.md` with its made parts made anew."""
    return MADE.sub(lambda found: found[1] + PARTS[found[2]]() + found[3], written)


# ── AsyncAPI ─────────────────────────────────────────────────────────────────────────────────────────────────────


def asyncapi() -> str:
    """`docs/asyncapi.yaml`."""
    families = {"fromClient": get_args(FromClient), "fromServer": get_args(FromServer)}
    everything = [kind for family in families.values() for kind in family]
    schemas, components = msgspec.json.schema_components(everything, ref_template="#/components/schemas/{name}")
    messages = {
        struct_of(kind).__name__: {"name": struct_of(kind).__struct_config__.tag, "payload": schema}
        for kind, schema in zip(everything, schemas, strict=True)
    }
    channel = {"$ref": "#/channels/table"}
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Bookboard",
            "version": "1",
            "description": "A table's live scoreboard. docs/protocol.md explains it.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": {
                "address": "/ws",
                "description": "WebSocket subprotocols: " + ", ".join(codec.name for codec in CODECS),
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": {
            name: {
                "action": "receive" if name == "fromClient" else "send",
                "channel": channel,
                "messages": [{"$ref": f"#/channels/table/messages/{struct_of(kind).__name__}"} for kind in family],
            }
            for name, family in families.items()
        },
        "components": {"messages": messages, "schemas": components},
    }
    document = without_arguments(without_discriminators(document), everything)
    return "# Made by `make types` from the server's messages.\n" + yaml.safe_dump(
        document, sort_keys=False, allow_unicode=True, width=120
    )


def without_arguments(document: Any, kinds: Iterable[type]) -> Any:  # noqa: ANN401 - any JSON
    """Schemas of generic structs under the structs' own names."""
    text = json.dumps(document)
    for kind in kinds:
        if struct_of(kind) is not kind:
            (schema,), components = msgspec.json.schema_components([kind], ref_template="{name}")
            text = text.replace(schema["$ref"], struct_of(kind).__name__)
            text = text.replace(json.dumps(components[schema["$ref"]]["title"]), json.dumps(struct_of(kind).__name__))
    return json.loads(text)


def without_discriminators(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """A mapping under that name is OpenAPI's; each schema of a union demands its own `type` anyway."""
    if isinstance(value, dict):
        return {
            key: without_discriminators(inner)
            for key, inner in value.items()
            if not (key == "discriminator" and isinstance(inner, dict) and "propertyName" in inner)
        }
    return [without_discriminators(inner) for inner in value] if isinstance(value, list) else value


def main(arguments: list[str]) -> int:
    """The exit status."""
    protocol, schemas = DOCS / "protocol.md", DOCS / "asyncapi.yaml"
    made = {protocol: reference(protocol.read_text(encoding="utf-8")), schemas: asyncapi()}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in arguments:
            sys.stderr.write(f"docs/{path.name} is not what the messages say: make types\n")
        else:
            path.write_text(made[path], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
