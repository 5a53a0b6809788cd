"""Why the server closes a connection. 3000-3499: come back later; 3500-3999: the same would only happen again."""

from enum import Enum


class Closing(Enum):
    """A close code, and the word that `bye` gives with it."""

    RESTARTING = (3000, "restarting", "the server is going down; another, or the same, is there soon")
    SLOW = (3001, "slow", "the connection took no data for 15 s: slow, come back")
    SILENT = (3002, "silent", "no answer to the beats for 30 s")
    UNAVAILABLE = (3003, "unavailable", "the table cannot be read from the store just now")
    TOO_FAST = (3004, "too_fast", "far more messages than people can make")
    NO_HELLO = (3005, "no_hello", "no `hello` within 5 s")
    FAILED = (3006, "failed", "something went wrong in the server, which has logged it")
    MALFORMED = (3500, "malformed", "what came is not a message of this protocol")
    TOKEN_OR_ORIGIN_NEEDED = (3501, "token_or_origin_needed", "`hello` without a token, from who names no `Origin`")
    NOT_FOUND = (3502, "not_found", "no such table, or not for this token")

    def __init__(self, code: int, word: str, meaning: str) -> None:
        self.code = code
        self.word = word
        self.meaning = meaning

    @property
    def may_come_back(self) -> bool:
        return self.code < 3500
