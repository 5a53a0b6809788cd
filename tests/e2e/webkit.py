"""A current WebKit, as Debian has it: MiniBrowser in a virtual screen, driven as the WebDriver standard says."""

import json
import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

DRIVER = "/usr/bin/WebKitWebDriver"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE_S = 60.0
TALL = 1400


class WebKit:
    def __init__(self, at: str) -> None:
        self._at = at

    def call(self, method: str, path: str, body: object = None) -> Any:
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self._at + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def run(self, script: str) -> Any:
        """What a function's text returns in the page."""
        return self.call("POST", "/execute/sync", {"script": f"return ({script})()", "args": []})

    def open(self, url: str) -> None:
        self.call("POST", "/url", {"url": url})

    def has_room(self, width: int, height: int) -> None:
        """The page is this large, without what the browser has around it."""
        rect = {"x": 0, "y": 0, "width": width, "height": height}
        self.call("POST", "/window/rect", rect)
        inner = self.run("() => [innerWidth, innerHeight]")
        rect.update(width=2 * width - inner[0], height=2 * height - inner[1])
        self.call("POST", "/window/rect", rect)
        self.waits_for(f"() => innerWidth === {width} && innerHeight === {height}")

    def waits_for(self, script: str) -> None:
        self._until(lambda: self.run(script), lambda: f"{script}\n{self.run('() => document.body.innerText')}")

    def says(self, text: str) -> None:
        self.waits_for(f"() => document.body.innerText.includes({json.dumps(text)})")

    def tap(self, text: str) -> None:
        """The button of this name, as a finger would."""
        find = {"using": "xpath", "value": f"//button[normalize-space()={json.dumps(text)} and not(@disabled)]"}
        self._until(lambda: self.call("POST", "/elements", find), lambda: f"no button {text}")
        button = self.call("POST", "/element", find)[ELEMENT]
        self.call("POST", f"/element/{button}/click")

    def type(self, label: str, text: str) -> None:
        find = {"using": "xpath", "value": f"//label[contains(., {json.dumps(label)})]//input"}
        field = self.call("POST", "/element", find)[ELEMENT]
        self.call("POST", f"/element/{field}/value", {"text": text})

    def _until(self, is_so: Callable[[], Any], what: Callable[[], str]) -> None:
        end = monotonic() + PATIENCE_S
        while not is_so():
            assert monotonic() < end, what()
            sleep(0.2)


@contextmanager
def running_webkit() -> Iterator[WebKit]:
    (browser,) = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    screen = ["xvfb-run", "-a", "-s", f"-screen 0 2000x{TALL}x24"]
    # In a container WebKit's own sandbox cannot be made, and there is no graphics card.
    environment = {
        **os.environ,
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
    }
    command = [*screen, DRIVER, f"--port={port}"]
    driver = subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)
    at = f"http://127.0.0.1:{port}"
    options = {"binary": str(browser), "args": ["--automation"]}
    capabilities = {"alwaysMatch": {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}}
    try:
        _wait_for(port)
        session = WebKit(at).call("POST", "/session", {"capabilities": capabilities})["sessionId"]
        webkit = WebKit(f"{at}/session/{session}")
        try:
            yield webkit
        finally:
            webkit.call("DELETE", "")
    finally:
        os.killpg(driver.pid, signal.SIGTERM)
        driver.wait()


def _wait_for(port: int) -> None:
    end = monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            assert monotonic() < end
            sleep(0.1)
        else:
            return
