"""nginx as most people set it up: it does not pass on the name that the browser asked for."""

from pathlib import Path

import pytest
from tests.e2e.devices import PROJECTOR, VENUE, Devices
from tests.e2e.night import PLAYERS, SIDES
from tests.e2e.screens import Home, Phone, Screen
from tests.hub.serving import running_hub_process
from tests.proxies.running import running
from tests.servers import free_port

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

NGINX = "/usr/sbin/nginx"
CONFIGURATION = """
daemon off; pid nginx.pid; error_log stderr; user root;
events {{}}
http {{
    access_log off;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{hub};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }}
    }}
}}
"""


async def test_a_table_is_played_behind_a_proxy_that_hides_its_name(tmp_path: Path, devices: Devices) -> None:
    port = free_port()
    url = f"http://{VENUE}:{port}"
    with running_hub_process(tmp_path / "hub", "--url", url, "--trust-proxy", "127.0.0.1") as hub:
        (tmp_path / "nginx.conf").write_text(CONFIGURATION.format(port=port, hub=hub.port))
        command = [NGINX, "-p", str(tmp_path), "-c", "nginx.conf", "-e", "stderr"]
        with running(command, tmp_path, port):
            page = await devices.open("host", url)
            home = Home("host", page)
            code, _ = await home.open_table(host=PLAYERS["north"], table="Table 4")
            await home.go_to_table()
            table = f"/t/{code}"
            phone = Phone("host", page, SIDES, PLAYERS)
            await phone.sit_here("north")
            await phone.start_game(1)
            watching = Screen("watch", await devices.open("watch", f"{url}{table}"))
            await watching.says("The first hand bids itself")
            devices.lines_may_fail = True  # nginx ends before the pages do
            for name, origin in (("display", url), ("display beside the proxy", f"http://localhost:{hub.port}")):
                page = await devices.open(name, f"{origin}{table}/display", PROJECTOR)
                async with page.expect_request("**/api/qr") as asked_for:
                    await page.reload()
                assert (await asked_for.value).post_data_json == {"text": f"{url}{table}"}
