"""The documents say what the messages are."""

import json
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import to_builtins

from bookboard.protocol.closing import Closing
from bookboard.protocol.messages import Beat, Bye, Do, Done, FromClient, FromServer, Hello, Refused
from bookboard.protocol.reference import DOCS, asyncapi, main, reference, yaml
from bookboard.room.commands import StartGame


def test_the_documents_are_up_to_date() -> None:
    assert main(["--check"]) == 0, "python -m bookboard.protocol.reference"


def test_a_part_that_was_changed_by_hand_is_made_anew() -> None:
    written = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert reference(written.replace("`restarting`", "`resting`")) == written


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    loaded: dict[str, Any] = pyyaml.safe_load(asyncapi())
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


LONGEST_KEY = 1024
"""Of a mapping on one line, as YAML 1.1 has it, escaped."""
TEXTS = st.text(st.characters(max_codepoint=0xD7FF))
KEYS = TEXTS.filter(lambda text: len(json.dumps(text)) <= LONGEST_KEY)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS,
        lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
        max_leaves=10,
    )
)
def test_what_is_written_as_yaml_reads_back(value: object) -> None:
    assert pyyaml.safe_load(yaml(json.loads(json.dumps(value)))) == value


def test_close_codes_tell_by_their_range_whether_to_come_back() -> None:
    assert len({closing.code for closing in Closing}) == len(Closing)
    for closing in Closing:
        assert closing.may_come_back is (3000 <= closing.code < 3500)
        assert 3000 <= closing.code < 4000
