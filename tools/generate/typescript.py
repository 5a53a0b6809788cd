"""The browser's types, made from the messages: `make types` writes `web/js/protocol.d.ts`.

With `--check` nothing is written; the exit status is 1 when the file is not what the messages say.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import get_args, get_origin

from msgspec import Struct, inspect

from bookboard.log.refusals import RefusalCode
from bookboard.protocol.closing import Closing
from bookboard.protocol.messages import FromClient, FromServer

CODES = set(get_args(RefusalCode))
"""The one set of words that is long enough to need a name."""
TARGET = Path(__file__).parents[2] / "web" / "js" / "protocol.d.ts"
HEAD = """\
// Made by `make types` from the server's messages: change those, not this.

export type Json = boolean | number | string | null | Json[] | { [key: string]: Json };
"""

PRIMITIVES: dict[type[inspect.Type], str] = {
    inspect.AnyType: "Json",
    inspect.RawType: "Json",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
}


def struct_of(kind: type) -> type[Struct]:
    """A family's member without its type arguments."""
    return get_origin(kind) or kind


class Interfaces:
    """Collects one interface per struct, in the order in which they are met."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}
        self.kinds: dict[str, type[Struct]] = {}

    def union(self, name: str, members: object, *, sent_by_client: bool) -> str:
        """A closed family of messages: its interfaces are collected, its declaration is returned."""
        kind = inspect.type_info(members)
        return f"export type {name} = {self.type_of(kind, sent_by_client=sent_by_client)};\n"

    def type_of(self, kind: inspect.Type, *, sent_by_client: bool) -> str:
        if primitive := PRIMITIVES.get(type(kind)):
            return primitive
        match kind:
            case inspect.LiteralType(values=values) if set(values) == CODES:
                members = "".join(f"\n  | {json.dumps(code)}" for code in sorted(CODES))
                self.written["RefusalCode"] = f"export type RefusalCode ={members};\n"
                return "RefusalCode"
            case inspect.LiteralType(values=values):
                return " | ".join(json.dumps(value) for value in values)
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                inner = self.type_of(item, sent_by_client=sent_by_client)
                return f"({inner})[]" if "|" in inner else f"{inner}[]"
            case inspect.DictType(value_type=value):
                return f"{{ [key: string]: {self.type_of(value, sent_by_client=sent_by_client)} }}"
            case inspect.UnionType(types=types):
                return " | ".join(unique(self.type_of(each, sent_by_client=sent_by_client) for each in types))
            case inspect.StructType():
                return self.interface(kind, sent_by_client=sent_by_client)
            case _:
                raise TypeError(f"no TypeScript for {kind}")

    def interface(self, kind: inspect.StructType, *, sent_by_client: bool) -> str:
        struct = struct_of(kind.cls)
        name = struct.__name__
        if name in self.written:
            return name
        self.kinds[name] = struct
        self.written[name] = ""  # holds its place, and ends a recursion
        lines = [f"  {kind.tag_field}: {json.dumps(kind.tag)};"] if kind.tag_field else []
        for field in kind.fields:
            may_be_missing = not field.required and (sent_by_client or struct.__struct_config__.omit_defaults)
            written_as = self.type_of(field.type, sent_by_client=sent_by_client)
            lines.append(f"  {field.encode_name}{'?' if may_be_missing else ''}: {written_as};")
        body = "\n".join(lines)
        self.written[name] = f"export interface {name} {{\n{body}\n}}\n" if lines else f"export interface {name} {{}}\n"
        return name


def unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def declarations() -> str:
    interfaces = Interfaces()
    unions = [
        interfaces.union("FromClient", FromClient, sent_by_client=True),
        interfaces.union("FromServer", FromServer, sent_by_client=False),
    ]
    return "\n".join([HEAD, *unions, *interfaces.written.values(), closings()])


def closings() -> str:
    """The close codes after which the same would only happen again."""
    final = " | ".join(str(closing.code) for closing in Closing if not closing.may_come_back)
    return f"export type FinalCloseCode = {final};\n"


def main(arguments: list[str]) -> int:
    wanted = declarations()
    if arguments == ["--check"]:
        if TARGET.read_text(encoding="utf-8") == wanted:
            return 0
        sys.stderr.write(f"{TARGET.name} is not what the messages say: run make types\n")
        return 1
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
