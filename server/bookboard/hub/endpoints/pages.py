"""The pages and what they load. Nothing here knows a room: a page asks for its own over the socket."""

import mimetypes
import os
import stat
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from bookboard.hub.endpoints.context import Message, Receive, Scope, Send

App = Callable[[Scope, Receive, Send], Awaitable[None]]

PAGES = {
    "/": "home.html",
    "/t/{code}": "watch.html",
    "/t/{code}/play": "play.html",
    "/t/{code}/display": "display.html",
    "/t/{code}/overlay": "overlay.html",
    "/t/{code}/sheet": "sheet.html",
    "/t/{code}/rules": "rules.html",
    "/rules/{game}": "rules.html",
}
FOLDERS = ("js", "css", "vendor", "i18n", "img", "fonts")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'"
)
SECURITY_HEADERS = [
    (b"content-security-policy", CSP.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]

# A browser that is told `nosniff` takes scripts and fonts by these names only; what a system says differs.
for _type, _suffix in (("text/javascript", ".js"), ("font/woff2", ".woff2"), ("image/svg+xml", ".svg")):
    mimetypes.add_type(_type, _suffix)


def routes(root: Path) -> list[BaseRoute]:
    def page(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            path = root / name
            if not path.is_file():
                raise HTTPException(404)
            return cached_file_response(str(path), path.stat(), Headers(scope=request.scope))

        return endpoint

    shown: list[BaseRoute] = [Route(path, page(name)) for path, name in PAGES.items()]
    return [*shown, *(Mount(f"/{name}", Folder(directory=root / name, check_dir=False)) for name in FOLDERS)]


_cached: dict[str, tuple[str, bytes]] = {}
"""Each file's version and content."""


def cached_file_response(path: str, found: os.stat_result, asked: Headers) -> Response:
    """A file from memory, read again once it has changed: threads that read it would take the loop's turns.

    A browser keeps it, too, but asks each time: a new version of the hub is seen at once. 304 if it has this very one.
    """
    etag = f'"{found.st_mtime_ns:x}-{found.st_size:x}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    known = {tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")}
    if etag in known:
        return Response(status_code=304, headers=headers)
    version, content = _cached.get(path, ("", b""))
    if version != etag:
        content = Path(path).read_bytes()
        _cached[path] = (etag, content)
    return Response(content, headers=headers, media_type=mimetypes.guess_type(path)[0] or "application/octet-stream")


class Folder(StaticFiles):
    """A folder of files, looked up on the loop: that takes less than handing it to a thread."""

    async def get_response(self, path: str, scope: MutableMapping[str, Any]) -> Response:
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        try:
            full_path, found = self.lookup_path(path)
        except (OSError, ValueError):  # too long for a name, or none
            raise HTTPException(404) from None
        if found is None or not stat.S_ISREG(found.st_mode):
            raise HTTPException(404)
        return cached_file_response(full_path, found, Headers(scope=scope))


def with_security_headers(app: App) -> App:
    """On every answer, errors included."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *SECURITY_HEADERS]}
            await send(message)

        await app(scope, receive, send_with_headers)

    return guarded
