"""The log of a table, replayed from its first event, against what was acknowledged and what is shown."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from tests.faults.clients import Phone, Screen
from tests.faults.tally import Tally

from bookboard.room.events import (
    HandScored,
    HandTakenBack,
    NextGameStarted,
    Recorded,
    TableNamed,
    TablePutBack,
    TimeExpired,
)
from bookboard.room.evolve import evolve
from bookboard.room.state import Room, RoomState
from bookboard.room.views import view_of
from bookboard.store.contract import Store
from bookboard.tables.serialization import decode_entry


class Ledger(Struct, frozen=True):
    """A table as its log says. `doubled` counts hands that are in it more than once."""

    epoch: int
    version: int
    last: str
    log: tuple[Recorded, ...]
    room: Room
    view: dict[str, Any]

    @classmethod
    async def read(cls, store: Store, code: str) -> "Ledger":
        loaded = await store.load(code, after=0)
        assert loaded is not None, f"the table {code} is gone"
        first = loaded.entries[0]
        assert [entry.version for entry in loaded.entries] == list(range(first.version, loaded.version + 1))
        assert [entry.prev for entry in loaded.entries[1:]] == [entry.id for entry in loaded.entries[:-1]]
        assert bool(first.prev) is (first.version > 1)
        log = tuple(decode_entry(entry) for entry in loaded.entries)
        room: Room | None = None
        for recorded in log:
            room = evolve(room, recorded)
        assert room is not None
        view = json.loads(msgspec.json.encode(view_of(room)))
        return cls(loaded.epoch, loaded.version, loaded.last, log, room, view)

    @property
    def doubled(self) -> int:
        """Events that are there twice, and hands that were scored while they stood scored."""
        ids = Counter(recorded.id for recorded in self.log)
        again = sum(count - 1 for count in ids.values())
        scored = 0
        for recorded in self.log:
            match recorded.event:
                case HandScored(hand=hand):
                    again += hand <= scored
                    scored = hand
                case HandTakenBack(hand=hand):
                    scored = hand - 1
                case NextGameStarted():
                    scored = 0
        return again

    @property
    def expiries(self) -> list[Recorded]:
        return [recorded for recorded in self.log if isinstance(recorded.event, TimeExpired)]

    def check(self, tally: Tally, phones: Iterable[Phone], screens: Iterable[Screen], *, gone: set[int]) -> None:
        """Counts what is lost, doubled, rewound and wrong into the tally. `gone` are the hands named as rewound."""
        tally.doubled += self.doubled
        for phone in phones:
            for sent in phone.sent.values():
                if sent.answer is None or sent.answer["type"] != "done":
                    continue
                is_old = sent.epoch < self.epoch
                if is_old and sent.command.get("hand") in gone:
                    tally.rewound += 1
                elif not ((is_old and "hand" not in sent.command) or self._holds(sent.command, sent.answer["version"])):
                    tally.lost += 1
                    print(f"lost: {sent.command}, answered {sent.answer} in epoch {sent.epoch}")
        for screen in screens:
            found = list(screen.wrongs)
            if screen.view != self.view:
                found.append(f"shows {screen.position}, the log is at {self.epoch}.{self.version}")
            tally.wrong += bool(found)
            for wrong in found:
                print(f"wrong: {type(screen).__name__} {wrong}")

    def _holds(self, command: dict[str, Any], version: int) -> bool:
        """Whether the command is in the log where its answer says."""
        if version > self.version:
            return False
        first = self.log[0]
        if version < first.version:
            return isinstance(first.event, TablePutBack) and _is_in(first.event.state, command)
        event = self.log[version - first.version].event
        if command["type"] != "enter_hand":
            return command["type"] != "name_table" or event == TableNamed(command["name"])
        entry = command["part"]
        return (
            isinstance(event, HandScored)
            and event.hand == command["hand"]
            and all(event.entry.get(name) == value for name, value in entry.items())
        )


def _is_in(state: RoomState, command: dict[str, Any]) -> bool:
    """Whether a table that was put back holds the hand that a command entered before the store lost it."""
    if command["type"] != "enter_hand":
        return True
    entry = next((kept.entry for kept in state.game.hands if kept.id == command["hand"]), {})
    return all(entry.get(name) == value for name, value in command["part"].items())
