"""A table to test with: commands go through `decide`, events through `evolve`, time is what the test says."""

from typing import TypeVar

from bookboard.log.actors import Actor, hash_token
from bookboard.log.answers import Already
from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room import events as e
from bookboard.room.access import role_of
from bookboard.room.decide import Decision, decide, expire
from bookboard.room.evolve import evolve
from bookboard.room.opening import Hashes, Opening, open_table
from bookboard.room.state import Room
from bookboard.rules.model import Entry, Json

HOST_TOKEN = "host-token-host-token-host"
INVITED_TOKEN = "invited-token-invited-token"
RECOVERY = "babab dodod fufuf gigig hahah jojoj kukuk lilil"
MINUTE = 60_000
OPENED = 1_800_000_000_000

T = TypeVar("T", bound=c.AnyCommand)


class Table:
    """Opened by Holly; call `start` before the first hand."""

    def __init__(self, settings: dict[str, Json] | None = None, key: str = "spades", **opening: object) -> None:
        self.now = OPENED
        opened = open_table(
            "K7F4MPQ",
            Opening(name="Table 4", host_name="Holly", key=key, settings=settings or {}, **opening),  # type: ignore[arg-type]
            Hashes(hash_token(HOST_TOKEN), hash_token(INVITED_TOKEN), hash_token(RECOVERY)),
        )
        assert isinstance(opened, e.TableOpened), opened
        self.log = [e.Recorded(1, "id1", self.now, opened.host, opened)]
        self.room: Room = evolve(None, self.log[0])
        self.host = self.actor(HOST_TOKEN)

    def actor(self, token: str | None) -> Actor:
        actor = role_of(self.room.state, None if token is None else hash_token(token))
        assert actor is not None
        return actor

    @property
    def version(self) -> int:
        return self.room.state.version

    def decide(self, command: c.AnyCommand, by: Actor | None = None) -> Decision:
        return decide(self.room, command, by or self.host, self.now)

    def do(self, command: c.AnyCommand, by: Actor | None = None) -> list[e.AnyEvent]:
        """Carry it out; it must be accepted."""
        actor = by or self.host
        decided = self.decide(command, actor)
        assert isinstance(decided, list), decided
        self.record(decided, actor.person or "")
        return decided

    def refused(self, command: c.AnyCommand, by: Actor | None = None) -> str:
        """The code it is refused with; it must be."""
        decided = self.decide(command, by)
        assert isinstance(decided, Refusal), decided
        return decided.code

    def already(self, command: c.AnyCommand, by: Actor | None = None) -> Already:
        decided = self.decide(command, by)
        assert isinstance(decided, Already), decided
        return decided

    def record(self, events: list[e.AnyEvent], by: str = "") -> None:
        for event in events:
            recorded = e.Recorded(self.version + 1, f"id{self.version + 1}", self.now, by, event)
            self.log.append(recorded)
            self.room = evolve(self.room, recorded)

    def join(self, name: str, seat: str | None, token: str | None = None, *, invited: str = INVITED_TOKEN) -> Actor:
        token = token or f"token-of-{name}-0123456789-0123456789".replace(" ", "-")
        self.do(c.ClaimSeat(seat, name, token), self.actor(invited))
        return self.actor(token)

    def start(self) -> "Table":
        self.do(c.StartGame(self.game))
        return self

    def pass_time(self, minutes: float) -> None:
        """Let time pass, as a hub's clock does: what is due happens."""
        self.now += int(minutes * MINUTE)
        self.record(expire(self.room, self.now))

    def ending(self) -> tuple[str | None, str] | None:
        """Winner and reason, once the game is over."""
        outcome = self.room.outcome
        return None if outcome is None else (outcome.winner, outcome.reason)

    @property
    def game(self) -> int:
        return self.room.state.game.number

    @property
    def hand(self) -> int:
        return len(self.room.state.game.hands) + 1

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.room.sheet.scores[side] for side in self.room.sheet.sides)

    # commands as a phone that is up to date would send them; `hand` is the number that it shows

    def id_of(self, hand: int | None = None) -> int:
        """The id of the hand with this number, of the one in play without."""
        game = self.room.state.game
        if hand is None or hand == self.hand:
            return game.in_play.id
        return game.hands[hand - 1].id if 0 < hand <= len(game.hands) else game.last_hand_id + hand

    def note(self, hand: int | None = None, /, **part: Json) -> c.NoteHand:
        return c.NoteHand(self.game, self.id_of(hand), self.version, part)

    def enter(self, hand: int | None = None, /, **part: Json) -> c.EnterHand:
        return c.EnterHand(self.game, self.id_of(hand), self.version, part)

    def correct(self, hand: int, /, **entry: Json) -> c.CorrectHand:
        return c.CorrectHand(self.game, self.id_of(hand), self.version, entry)

    def take_back(self, hand: int | None = None) -> c.TakeBackHand:
        return c.TakeBackHand(self.game, self.id_of(self.hand - 1 if hand is None else hand), self.version)

    def remove(self, hand: int) -> c.RemoveHand:
        return c.RemoveHand(self.game, self.id_of(hand), self.version)

    def play(self, bids: tuple[Json, Json], books: int, **more: Json) -> None:
        """Enter a whole hand: both sides' bids, and the books of north-south."""
        self.do(self.enter(None, **played(bids, books), **more))


def played(bids: tuple[Json, Json], books: int) -> Entry:
    return {"bids": sides(*bids), "books": sides(books, 13 - books)}


def sides(north_south: Json, east_west: Json) -> dict[str, Json]:
    return {"north_south": north_south, "east_west": east_west}
