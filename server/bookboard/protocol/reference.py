"""The protocol's reference, made from the messages: `python -m bookboard.protocol.reference` brings `docs/` up to date.

Of `docs/protocol.md` it writes what stands between `<!-- made: … -->` and `<!-- end -->`; `docs/asyncapi.yaml` it
writes whole. With `--check` nothing is written; the exit status is 1 when a file is not what the messages say.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from bookboard.log.refusals import HUB_CODES, TABLE_CODES
from bookboard.log.tagged import snake_case
from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import CODECS
from bookboard.protocol.messages import FromClient, FromServer
from bookboard.protocol.typescript import Interfaces, struct_of
from bookboard.room.commands import AnyCommand
from bookboard.room.events import AnyEvent
from bookboard.room.views import View

DOCS = Path(__file__).parents[3] / "docs"
MADE = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────────────


def first_paragraph(kind: type) -> str:
    """A type's own description on one line; "" where it has none."""
    text = cleandoc(struct_of(kind).__dict__.get("__doc__") or "")
    return "" if text.startswith(f"{struct_of(kind).__name__}(") else " ".join(text.split("\n\n")[0].split())


def described(kinds: Iterable[type], *, sent_by_client: bool) -> str:
    """A list of tagged types: name, members with their types, and what it says of itself."""
    interfaces = Interfaces()
    lines = []
    for kind in kinds:
        struct = inspect.type_info(kind)
        assert isinstance(struct, inspect.StructType)
        members = []
        for field in struct.fields:
            mark = "" if field.required or not sent_by_client else "?"
            shown = interfaces.type_of(field.type, sent_by_client=sent_by_client)
            members.append(f"`{field.encode_name}{mark}: {shown}`")
        name = struct.tag or field_name(kind)
        lines.append(f"- **`{name}`**{' ' if members else ''}{', '.join(members)}")
        if first_paragraph(kind):
            lines.append(f"  <br>{first_paragraph(kind)}")
    return "\n".join(lines) + "\n"


def field_name(kind: type) -> str:
    return snake_case(kind.__name__.removesuffix("View"))


def sections() -> str:
    """The sections of the state, each with its own members."""
    hints = inspect.type_info(View)
    assert isinstance(hints, inspect.StructType)
    interfaces = Interfaces()
    for field in hints.fields:
        interfaces.type_of(field.type, sent_by_client=False)
    shown = [f"  {field.name}: {interfaces.type_of(field.type, sent_by_client=False)};" for field in hints.fields]
    state = "\n".join(["interface State {", *shown, "}"])
    rest = "\n".join(text.replace("export ", "") for text in interfaces.written.values())
    return f"```ts\n{state}\n\n{rest}```\n"


def refusals() -> str:
    rows = [f"| `{code}` | {meaning} |" for code, meaning in (*TABLE_CODES.items(), *HUB_CODES.items())]
    return "\n".join(["| code | |", "| --- | --- |", *rows]) + "\n"


def closings() -> str:
    rows = [f"| {closing.code} | `{closing.word}` | {closing.meaning} |" for closing in Closing]
    return "\n".join(["| code | `bye` | |", "| --- | --- | --- |", *rows]) + "\n"


def kinds() -> str:
    return ", ".join(f"`{snake_case(event.__name__)}`" for event in get_args(AnyEvent)) + ".\n"


PARTS: dict[str, Callable[[], str]] = {
    "from-client": lambda: described(get_args(FromClient), sent_by_client=True),
    "commands": lambda: described(get_args(AnyCommand), sent_by_client=True),
    "from-server": lambda: described(get_args(FromServer), sent_by_client=False),
    "state": sections,
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
    return "# Made by `python -m bookboard.protocol.reference` from the server's messages.\n" + yaml(document)


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


def yaml(value: Any, indent: int = 0) -> str:  # noqa: ANN401 - any JSON
    """A JSON value as block YAML; texts and keys as JSON writes them, which YAML reads."""
    margin = "  " * indent
    if isinstance(value, dict) and value:
        return "".join(f"{margin}{_key(key)}:{_nested(inner, indent)}" for key, inner in value.items())
    if isinstance(value, list) and value:
        return "".join(f"{margin}-{_nested(inner, indent)}" for inner in value)
    return f"{margin}{json.dumps(value)}\n"


YAML_WORDS = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def _key(key: str) -> str:
    is_plain = re.fullmatch(r"[A-Za-z_]+", key) and key.lower() not in YAML_WORDS
    return key if is_plain else json.dumps(key)


def _nested(value: Any, indent: int) -> str:  # noqa: ANN401
    return f"\n{yaml(value, indent + 1)}" if isinstance(value, dict | list) and value else f" {json.dumps(value)}\n"


def main(arguments: list[str]) -> int:
    """The exit status."""
    protocol, schemas = DOCS / "protocol.md", DOCS / "asyncapi.yaml"
    made = {protocol: reference(protocol.read_text(encoding="utf-8")), schemas: asyncapi()}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in arguments:
            sys.stderr.write(f"docs/{path.name} is not what the messages say: python -m bookboard.protocol.reference\n")
        else:
            path.write_text(made[path], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
