"""uvicorn's WebSocket protocol, with a way past ASGI for the fan-out.

`scope["extensions"]["bookboard.wire"]` is the protocol itself: a room writes ready frames to its transport, and its
reader is told when the transport wants a pause. Tests check what this uses of uvicorn's class.
"""

from typing import Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WIRE = "bookboard.wire"


class Paced(Protocol):
    def paused(self) -> None:
        """The transport's buffer is full."""

    def resumed(self) -> None:
        """It has drained."""

    def lost(self) -> None:
        """Nothing can be written any more."""


class WireProtocol(WebSocketsSansIOProtocol):
    reader: Paced | None = None

    async def run_asgi(self) -> None:
        self.scope["extensions"][WIRE] = self  # type: ignore[assignment]
        await super().run_asgi()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.reader is not None:
            self.reader.paused()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.reader is not None:
            self.reader.resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.reader is not None:
            self.reader.lost()
        super().connection_lost(exc)

    def send_receive_event_to_app(self) -> None:
        """Text that is no UTF-8 goes on as binary: the codec refuses it, the base class would log an exception."""
        if self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self.curr_msg_data_type = "bytes"
        super().send_receive_event_to_app()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
