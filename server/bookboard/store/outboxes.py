"""The letters of rooms to each other, until they are struck out."""

import msgspec

from bookboard.store import keys
from bookboard.store.contract import Letter, RefusedLetter
from bookboard.store.scripts import Script, Scripts

_STRIKE = Script.read("strike.lua")


class Outboxes(Scripts):
    async def senders(self) -> list[str]:
        return await self._first_of_all(keys.outboxes, "+inf")

    async def letters(self, room: str) -> list[Letter]:
        found = await self._call("ZRANGE", keys.room_keys(room).outbox, 0, -1)
        return [msgspec.msgpack.decode(letter, type=Letter) for letter in found]

    async def is_waiting(self, room: str, letter: Letter) -> bool:
        return await self._call("ZSCORE", keys.room_keys(room).outbox, msgspec.msgpack.encode(letter)) is not None

    async def strike(self, room: str, letter: Letter, refused: str | None) -> None:
        names = keys.room_keys(room)
        kept = b"" if refused is None else msgspec.msgpack.encode(RefusedLetter(letter, refused))
        touched = (names.outbox, names.refused, names.outboxes)
        await self._run(_STRIKE, touched, room, msgspec.msgpack.encode(letter), kept)

    async def refused_letters(self, room: str) -> list[RefusedLetter]:
        found = await self._call("ZRANGE", keys.room_keys(room).refused, 0, -1)
        return [msgspec.msgpack.decode(letter, type=RefusedLetter) for letter in found]
