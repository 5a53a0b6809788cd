"""The documents say what the messages are."""

import json
import re
from typing import Any, get_args

import pytest
import yaml
from jsonschema import Draft202012Validator
from msgspec import to_builtins
from tools.generate.examples import examples, written
from tools.generate.protocol import DOCS, asyncapi, main, reference
from tools.generate.typescript import struct_of

from bookboard.protocol.closing import Closing
from bookboard.protocol.codecs import JSON
from bookboard.protocol.messages import Beat, Bye, Do, Done, FromClient, FromServer, Hello, Refused
from bookboard.room.commands import AnyCommand, StartGame


def test_the_documents_are_up_to_date() -> None:
    assert main(["--check"]) == 0, "make types"


def test_a_part_that_was_changed_by_hand_is_made_anew() -> None:
    written = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert reference(written.replace("`restarting`", "`resting`")) == written


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(asyncapi())
    return loaded


@pytest.mark.parametrize(
    "message",
    [
        Hello("K7F4MPQ"),
        Do("c", StartGame(1)),
        Beat(1),
        Bye("slow", None),
        Done("c", 4),
        Refused("c", "conflict", {"hand": 3}, retry=False),
    ],
    ids=lambda message: type(message).__name__,
)
def test_messages_are_valid_by_their_schemas(document: dict[str, Any], message: FromClient | FromServer) -> None:
    schema = {
        **document["components"]["messages"][type(message).__name__]["payload"],
        "components": document["components"],
    }
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    value = to_builtins(message)
    validator.validate(value)
    assert not validator.is_valid({**value, "type": "another"})


@pytest.mark.parametrize("named", examples())
def test_examples_are_what_servers_and_clients_say(document: dict[str, Any], named: str) -> None:
    for message in examples()[named]:
        shown = json.loads(written(message))
        name = type(message).__name__
        payload = document["components"]["messages"][name]["payload"]
        Draft202012Validator({**payload, "components": document["components"]}).validate(shown)
        if not named.startswith("server"):
            assert JSON.decode(written(message).encode()) == message


def test_the_reference_shows_every_message_and_every_command() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    shown = "".join(re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    kinds = (*get_args(FromClient), *get_args(FromServer), *get_args(AnyCommand))
    tags = [struct_of(kind).__struct_config__.tag for kind in kinds]
    assert len(tags) > 30
    assert [tag for tag in tags if f'"type": "{tag}"' not in shown] == []


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def follow(value: object) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                place: Any = document
                for step in value["$ref"].removeprefix("#/").split("/"):
                    place = place[step]
            for inner in value.values():
                follow(inner)
        elif isinstance(value, list):
            for inner in value:
                follow(inner)

    follow(document)


def test_close_codes_tell_by_their_range_whether_to_come_back() -> None:
    assert len({closing.code for closing in Closing}) == len(Closing)
    for closing in Closing:
        assert closing.may_come_back is (3000 <= closing.code < 3500)
        assert 3000 <= closing.code < 4000
