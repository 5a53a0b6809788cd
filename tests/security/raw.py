"""What no client sends: bytes of one's own making, over HTTP and WebSocket."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.addresses import addresses
from tests.hub.serving import SUBPROTOCOLS, HubProcess, Somewhere

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 1, 2, 8, 9, 10, 0


def frame(payload: bytes | str, opcode: int = TEXT, *, fin: bool = True, rsv: int = 0, masked: bool = True) -> bytes:
    """A client's frame, masked with nothing."""
    data = payload.encode() if isinstance(payload, str) else payload
    first, mask = fin << 7 | rsv << 4 | opcode, 0x80 if masked else 0
    if len(data) < 126:
        head = bytes((first, mask | len(data)))
    else:
        head = bytes((first, mask | 126)) + len(data).to_bytes(2, "big")
    return head + (bytes(4) if masked else b"") + data


def request(hub: Somewhere, line: str, *headers: str, body: bytes = b"") -> bytes:
    head = "\r\n".join((f"{line} HTTP/1.1", f"Host: {hub.at}", *headers, "", ""))
    return head.encode("latin-1") + body


def handshake(hub: Somewhere, *headers: str, path: str = "/ws", subprotocol: str = SUBPROTOCOLS[0]) -> bytes:
    return request(
        hub,
        f"GET {path}",
        *(headers or (f"Origin: http://{hub.at}",)),
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {subprotocol}",
    )


def hello(code: str, token: str | None = None) -> bytes:
    return frame(json.dumps({"type": "hello", "room": code, "token": token}))


@contextmanager
def connection(hub: HubProcess, first: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", hub.port), timeout=15, source_address=addresses.local) as made:
        made.sendall(first)
        yield made


@contextmanager
def websocket(hub: HubProcess, subprotocol: str = SUBPROTOCOLS[0]) -> Iterator[socket.socket]:
    with connection(hub, handshake(hub, subprotocol=subprotocol)) as made:
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += made.recv(4096)
        assert answer.startswith(b"HTTP/1.1 101"), answer
        yield made


def all_of(made: socket.socket, *, within_s: float = 15) -> bytes:
    """What comes until the server closes; it must, in that time."""
    made.settimeout(within_s)
    heard = b""
    with suppress(ConnectionError):
        while data := made.recv(65536):
            heard += data
    return heard


def answer_to(hub: HubProcess, sent: bytes) -> bytes:
    """What the server answers before it closes the connection."""
    with connection(hub, sent) as made:
        return all_of(made)


def pour(made: socket.socket, data: bytes, *, most: int) -> int:
    """Sends the same again until the server hangs up, takes no more or has taken so many bytes; how many it took."""
    sent = 0
    with suppress(ConnectionError, TimeoutError):
        while sent < most:
            sent += made.send(data)
    return sent
