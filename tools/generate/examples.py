"""Examples of every message, from a game that is really played: decided, scored and encoded by what the server runs."""

import json
from functools import cache
from typing import Any, TypedDict

from msgspec import UNSET, Struct, to_builtins

from bookboard.hub.live.rooms import BEAT_EVERY_S
from bookboard.log.actors import hash_token, person_of
from bookboard.log.refusals import Refusal
from bookboard.protocol import messages as m
from bookboard.protocol.codecs import JSON
from bookboard.room import commands as c
from bookboard.room.access import role_of
from bookboard.room.decide import decide
from bookboard.room.events import Recorded, TableOpened
from bookboard.room.evolve import evolve
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.room.state import Room
from bookboard.room.views import forecast_of, view_of
from bookboard.rules.model import Entry
from bookboard.store import contract
from bookboard.tables import replies

NOW = 1_800_000_000_000
EPOCH = 1
HOST, INVITED, RECOVERY, WATCH = (f"{name}-0123456789abcdefghij" for name in ("host", "invite", "phrase", "watch"))
ROSA = "rosa-0123456789abcdefghij"
MOSES = person_of(hash_token("moses-0123456789abcdefghij"))
WIDTH = 110


class Place(TypedDict):
    game: int
    hand: int
    revision: int


class Night:
    """A table at which each command is accepted, and what its screens and phones are sent of it."""

    def __init__(self) -> None:
        opened = open_table(
            "K7F4MPQ",
            Opening(name="Table 4", host_name="Nora", key="spades", settings={"first_hand_bids_itself": False}),
            Hashes(hash_token(HOST), hash_token(INVITED), hash_token(RECOVERY)),
        )
        assert isinstance(opened, TableOpened)
        self.now = NOW
        self.room = evolve(None, Recorded(1, "e1", NOW, opened.host, opened))
        self.commands: dict[str, m.FromClient] = {}
        self.events: dict[str, m.EventMessage] = {}
        self.cmds = 0
        self._play()

    def do(self, command: c.AnyCommand, token: str = HOST) -> None:
        actor = role_of(self.room.state, hash_token(token))
        assert actor is not None
        self.now += 20_000
        decided = decide(self.room, command, actor, self.now)
        assert isinstance(decided, list), (command, decided)
        self.cmds += 1
        self.commands.setdefault(tag_of(command), m.Do(f"phone-a-{self.cmds}", command))
        for event in decided:
            before: Room = self.room
            version = before.state.version + 1
            recorded = Recorded(version, f"e{version}", self.now, actor.person or "", event)
            self.room = evolve(before, recorded)
            entry = contract.Entry(version, recorded.id, f"e{version - 1}", self.now, b"")
            message = replies.event_message(EPOCH, entry, recorded, before, self.room)
            self.events[message.kind] = message

    def at(self, number: int | None = None) -> Place:
        """What a command on a hand names: game, the hand's id, the version that its sender was looking at."""
        game = self.room.state.game
        hand = game.in_play.id if number is None else game.hands[number - 1].id
        return {"game": game.number, "hand": hand, "revision": self.room.state.version}

    def enter(self, books: int, *, bids: tuple[int, int] = (6, 5)) -> c.EnterHand:
        return c.EnterHand(**self.at(), part=entry_of(bids, books))

    def _play(self) -> None:
        self.do(c.ClaimSeat("south", "Nora"))
        self.do(c.ClaimSeat("west", "Rosa", ROSA), INVITED)
        self.do(c.ClaimSeat("north", "Moses", "moses-0123456789abcdefghij"), INVITED)
        self.do(c.NameSides({"north_south": "The Aces", "east_west": "Books & Co."}))
        self.do(c.NameTable("Table 4, by the window"))
        self.do(c.InvitePlayers("invite-again-0123456789abcdef"))
        self.do(c.SetPrivacy(private=True, token=WATCH))
        self.do(c.SetRules(1, "spades", {"time_limit_minutes": 60, "first_hand_bids_itself": False}))
        self.do(c.StartGame(1))
        self.do(c.NoteHand(**self.at(), part={"bids": {"north_south": 6, "east_west": 5}}), ROSA)
        self.forecast = m.Forecast(EPOCH, self.room.state.version, forecast_of(self.room))
        self.previewed: m.Preview[c.AnyCommand] = m.Preview(
            "p1", c.EnterHand(**self.at(), part={"books": {"north_south": 7, "east_west": 6}})
        )
        host = role_of(self.room.state, hash_token(HOST))
        assert host is not None
        self.preview = replies.preview_answer(self.room, self.previewed, host, self.now)
        self.do(c.EnterHand(**self.at(), part={"books": {"north_south": 7, "east_west": 6}}), ROSA)
        self.snapshot = m.SnapshotMessage(
            EPOCH, self.room.state.version, f"e{self.room.state.version}", view_of(self.room), forecast_of(self.room)
        )
        stale = self.at(1)
        self.do(self.enter(6))
        self.do(c.CorrectHand(**self.at(1), entry=entry_of((6, 5), 8), reason="counted again"))
        late = c.CorrectHand(**stale, entry=entry_of((6, 5), 6))
        refusal = decide(self.room, late, host, self.now)
        assert isinstance(refusal, Refusal)
        self.conflict = replies.refused("phone-b-1", refusal, self.room, late)
        wrong = c.EnterHand(**self.at(), part={**entry_of((6, 5), 7), "books": {"north_south": 7, "east_west": 5}})
        refusal = decide(self.room, wrong, host, self.now)
        assert isinstance(refusal, Refusal)
        self.refused = replies.refused("phone-b-2", refusal, self.room, wrong)
        self.do(c.TakeBackHand(**self.at(2)))
        self.do(c.RemoveHand(**self.at(1)))
        self.do(self.enter(7))
        self.do(c.PauseClock(1))
        self.do(c.ResumeClock(1))
        self.do(c.ExtendClock(1, 15, self.room.state.version))
        self.do(c.HandOver(person_of(hash_token(ROSA))))
        self.do(c.LeaveSeat("north", MOSES), ROSA)
        self.do(c.RemovePerson(MOSES), ROSA)
        ending = self.at()
        self.do(c.EndGame(1, ending["hand"], ending["revision"]), ROSA)
        self.do(c.ReopenGame(1, self.room.state.version), ROSA)
        self.do(c.EndGame(1, ending["hand"]), ROSA)
        self.do(c.NextGame(1, self.room.state.version), ROSA)


def entry_of(bids: tuple[int, int], books: int) -> Entry:
    return {
        "bids": {"north_south": bids[0], "east_west": bids[1]},
        "books": {"north_south": books, "east_west": 13 - books},
    }


def tag_of(value: Struct) -> str:
    return str(value.__struct_config__.tag)


@cache
def examples() -> dict[str, list[m.FromClient | m.FromServer]]:
    """Of every command, of every message from a client (`client: hello`) and from the server (`server: welcome`)."""
    night = Night()
    at = night.snapshot
    status = m.Status("ok", NOW)
    from_client: list[m.FromClient] = [
        m.Hello("K7F4MPQ"),
        m.Hello("K7F4MPQ", ROSA, "play", m.Resume(at.epoch, at.version, at.last)),
        night.commands["enter_hand"],
        night.previewed,
        m.Sync(),
        m.Check(["phone-a-1", "phone-a-2"]),
        m.PutBack("put-back-1"),
        m.Pong(),
    ]
    from_server: list[m.FromServer] = [
        m.Welcome(
            role="player",
            person=person_of(hash_token(ROSA)),
            epoch=at.epoch,
            version=at.version,
            last=at.last,
            now=night.now,
            heartbeat=BEAT_EVERY_S,
            status=status,
            addresses=["http://192.168.1.20:8000"],
        ),
        at,
        night.events["hand_noted"],
        night.events["hand_scored"],
        night.events["hand_corrected"],
        night.forecast,
        m.Rewound(2, 1, [3, 4]),
        m.Done("phone-a-11", 12),
        m.Done("phone-b-2", 12, repeated=True, by=MOSES, at=NOW + 200_000),
        night.refused,
        night.conflict,
        night.preview,
        m.Checked(["phone-a-1", "phone-a-2"], ["phone-a-2"]),
        status,
        m.Status("readonly", NOW, m.ClockChange(NOW, 3_600_000, seen=True)),
        m.Watching(12),
        m.Beat(NOW),
        m.Bye("restarting", 1500),
        m.Bye("not_found", None),
    ]
    found: dict[str, list[m.FromClient | m.FromServer]] = {}
    for family, messages in (("client", from_client), ("server", from_server)):
        for message in messages:
            found.setdefault(f"{family}: {tag_of(message)}", []).append(message)
    found.update({f"command: {tag}": [command] for tag, command in night.commands.items()})
    return found


def written(message: m.FromClient | m.FromServer) -> str:
    """As JSON, broken where a line would get too long."""
    value = json.loads(JSON.encode(message) if isinstance(message, m.ServerMessage) else json.dumps(sent(message)))
    return _laid_out(value, "")


def sent(message: Struct) -> dict[str, Any]:
    """What a client has to send: no member that is at its default."""
    value: dict[str, Any] = to_builtins(message)
    kept = {name: value[name] for name in value if name == "type" or not _is_default(message, name)}
    if (command := getattr(message, "command", None)) is not None:
        kept["command"] = sent(command)
    return kept


def _is_default(message: Struct, name: str) -> bool:
    fields = message.__struct_fields__
    defaults = dict(zip(reversed(fields), reversed(message.__struct_defaults__), strict=False))
    return name in defaults and defaults.get(name, UNSET) == getattr(message, name)


def _laid_out(value: object, margin: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(flat) <= WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inner = margin + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {_laid_out(part, inner)}" for key, part in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{margin}}}"
    return "[\n" + ",\n".join(inner + _laid_out(part, inner) for part in value) + f"\n{margin}]"
