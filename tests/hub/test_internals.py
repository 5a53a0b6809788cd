"""What the hub uses of uvicorn, h11 and websockets beyond their public names is there, listed, and in one module."""

import ast
import asyncio
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from bookboard.hub.endpoints.app import make_app
from bookboard.hub.process import serve
from bookboard.hub.wire import http_protocol, internals, websocket_protocol
from bookboard.hub.wire.gate import QueuedInput

SOURCES = Path(internals.__file__).parents[2]
CLASSES = [
    pytest.param(
        websocket_protocol,
        "WireProtocol",
        internals.WebSocketsSansIOProtocol,
        internals.WEBSOCKET_NAMES,
        id="websocket",
    ),
    pytest.param(http_protocol, "HttpProtocol", internals.H11Protocol, internals.HTTP_NAMES, id="http"),
    pytest.param(serve, "HubServer", internals.Server, internals.SERVER_NAMES, id="server"),
]


@pytest.mark.parametrize(("module", "name", "base", "listed"), CLASSES)
async def test_every_name_of_a_base_class_that_is_used_is_listed_and_there(
    module: Any, name: str, base: type, listed: frozenset[str]
) -> None:
    used = set(_names_used(module, name))
    made = _made(base)
    assert {path for path in used if _is_there(made, path)} <= listed
    assert {path for path in listed if not _is_there(made, path)} == set()
    assert listed <= used | {"should_exit"}  # which the signals set from outside the class


def test_no_other_module_imports_what_is_private() -> None:
    private = re.compile(r"^(from|import) (uvicorn[._]\S+|h11|websockets)\b", re.MULTILINE)
    found = {path.name for path in SOURCES.rglob("*.py") if private.search(path.read_text(encoding="utf-8"))}
    assert found == {"internals.py"}


def _names_used(module: Any, name: str) -> Iterator[str]:
    """What a class reads of itself and calls of its base, and what it overrides, dotted."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    (found,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    queued = set(vars(QueuedInput)) - {"transport"}
    for node in ast.walk(found):
        match node:
            case ast.FunctionDef(name=method) | ast.AsyncFunctionDef(name=method):
                if not method.startswith("__"):
                    yield method
            case ast.Attribute():
                path = _dotted(node)
                if path is not None and path.split(".")[0] not in queued:
                    yield path


def _dotted(node: ast.expr) -> str | None:
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    match node:
        case ast.Name(id="self") | ast.Call(func=ast.Name(id="super")):
            path = names[::-1]
            if "__init__" in path:
                return None
            # What transports, queues, events and headers have is public.
            public = {"transport", "queue", "writable", "headers", "connections", "parser", "request", "response"}
            end = next((at for at, part in enumerate(path) if part in public), len(path))
            return ".".join(path[: end + 1])
        case _:
            return None


def _is_there(made: object, path: str) -> bool:
    """Whether an instance has it now, or its module sets it once a request has come."""
    owner: object = made
    for name in path.split("."):
        if not hasattr(owner, name):
            source = inspect.getsource(sys.modules[type(made).__module__])
            return re.search(rf"self\.{path.rpartition('.')[2]}\b", source) is not None
        owner = getattr(owner, name)
    return True


def _made(base: type) -> object:
    config = uvicorn.Config(make_app, lifespan="off", log_config=None)
    if base is internals.Server:
        server = uvicorn.Server(config)
        server.servers = []
        return server
    config.load()
    made = base(config, ServerState(), {})
    transport: Any = _Transport()
    made.connection_made(transport)
    return made


class _Transport(asyncio.Transport):
    def get_extra_info(self, _name: str, default: Any = None) -> Any:
        return default

    def is_closing(self) -> bool:
        return False
