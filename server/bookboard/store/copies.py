"""All that a store holds, room by room, out for a backup and in again."""

from redis.exceptions import RedisError

from bookboard.store import keys
from bookboard.store.contract import SavedGame, SavedRoom
from bookboard.store.link import Argument
from bookboard.store.scripts import Script, Scripts, all_but_the_feed, read_entry, unavailable

_SAVE = Script.read("save.lua")
_RESTORE = Script.read("restore.lua")


class Copies(Scripts):
    async def room_names(self) -> list[str]:
        """All rooms there are."""
        return sorted(name.split(":")[2] for name in await self._names("{p*}:r:*:m"))

    async def archives(self) -> list[tuple[str, int]]:
        """Room and number of every finished game whose record is kept."""
        found = (name.split(":") for name in await self._names("{p*}:g:*"))
        return sorted((room, int(game)) for _, _, room, game in found)

    async def save(self, room: str) -> SavedRoom | None:
        """All that is kept of a room, read in one step; None if there is none."""
        names = keys.room_keys(room)
        reply = await self._run(_SAVE, (names.meta, names.log, names.answers, names.outbox, names.refused))
        if reply is None:
            return None
        epoch, deadline, entries, answers, letters, refused = reply
        pairs = zip(answers[::2], answers[1::2], strict=True)
        return SavedRoom(
            room=room,
            epoch=int(epoch),
            deadline=int(deadline) if deadline else None,
            entries=tuple(read_entry(entry_id, fields) for entry_id, fields in entries),
            answers={field.decode(): answer for field, answer in pairs},
            letters=_with_versions(letters),
            refused=_with_versions(refused),
        )

    async def restore(self, saved: SavedRoom) -> bool:
        """Put a room back, in a new epoch. False if it is there and holds all of it: it has gone on since."""
        names = keys.room_keys(saved.room)
        arguments: list[Argument] = [saved.room, names.feed, saved.epoch, len(saved.entries)]
        arguments += ["" if saved.deadline is None else saved.deadline, saved.entries[0].version, saved.entries[0].prev]
        arguments += [len(saved.letters), len(saved.refused)]
        for entry in saved.entries:
            arguments += [entry.id, entry.at, "" if entry.steady is None else entry.steady, entry.body]
        for version, letter in (*saved.letters, *saved.refused):
            arguments += [version, letter]
        for field, answer in saved.answers.items():
            arguments += [field, answer]
        return bool(await self._run(_RESTORE, all_but_the_feed(names), *arguments))

    async def restore_game(self, saved: SavedGame) -> bool:
        """Keep a finished game's record, unless there is one."""
        return bool(await self._call("SET", keys.archive(saved.room, saved.game), saved.record, "NX"))

    async def _names(self, pattern: str) -> list[str]:
        names: set[str] = set()
        for link in self._link.links:
            cursor = b"0"
            while True:
                try:
                    cursor, found = await link.call("SCAN", cursor, "MATCH", pattern, "COUNT", 1000)
                except (RedisError, OSError) as error:
                    raise unavailable(error) from error
                names.update(name.decode() for name in found)
                if cursor == b"0":
                    break
        return list(names)


def _with_versions(reply: list[bytes]) -> tuple[tuple[int, bytes], ...]:
    """Out of ZRANGE … WITHSCORES."""
    return tuple((int(version), letter) for letter, version in zip(reply[::2], reply[1::2], strict=True))
