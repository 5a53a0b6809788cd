"""The pages and what they load. Nothing here knows a room: a page asks for its own over the socket."""

import mimetypes
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from bookboard.hub.desk import Message, Receive, Scope, Send

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


def web_root() -> Path:
    """In a wheel the pages lie in the package, in a checkout beside `server/`."""
    packed = Path(str(files("bookboard").joinpath("web")))
    return packed if packed.is_dir() else Path(__file__).parents[3] / "web"


def routes(root: Path) -> list[BaseRoute]:
    def page(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            path = root / name
            if not path.is_file():
                raise HTTPException(404)
            response = FileResponse(path, stat_result=path.stat(), headers={"Cache-Control": "no-cache"})
            return unchanged(request, response)

        return endpoint

    shown: list[BaseRoute] = [Route(path, page(name)) for path, name in PAGES.items()]
    return [*shown, *(Mount(f"/{name}", Revalidated(directory=root / name, check_dir=False)) for name in FOLDERS)]


def unchanged(request: Request, response: Response) -> Response:
    """304 for a browser that has this very version already."""
    etag = response.headers["etag"]
    known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
    return Response(status_code=304, headers={"ETag": etag, "Cache-Control": "no-cache"}) if etag in known else response


class Revalidated(StaticFiles):
    """Files that a browser keeps, but asks about each time: a new version of the hub is seen at once."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def with_security_headers(app: App) -> App:
    """On every answer, errors included."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *SECURITY_HEADERS]}
            await send(message)

        await app(scope, receive, send_with_headers)

    return guarded
