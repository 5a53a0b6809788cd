"""Where phones reach the hub, on real networks: which addresses it finds, names, prefers and warns of."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from tests.namespaces import Network, networks

from bookboard.config import Config
from bookboard.hub.process import addresses
from bookboard.hub.process.addresses import Address
from bookboard.hub.process.greeting import Terminal, blocks

PORT = 8000
FETCH = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=20).read().decode())"


class Hub:
    """`bookboard serve` in a network, and the lines it prints."""

    def __init__(self, network: Network, process: subprocess.Popen[str]) -> None:
        self.network = network
        self.process = process
        self._lines: Queue[str] = Queue()
        self.read: list[str] = []
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError):  # closed by the test
            for line in self.process.stdout:
                self._lines.put(line.rstrip("\n"))

    def until(self, text: str) -> str:
        """The next line that has this text."""
        while text not in (line := self._lines.get(timeout=60)):
            self.read.append(line)
        self.read.append(line)
        return line

    def places(self, last: str) -> list[str]:
        """The lines with addresses, up to the line that has this text."""
        self.read.clear()
        self.until(last)
        return [line.strip() for line in self.read if line.startswith("  http")]

    @property
    def here(self) -> list[str]:
        """What pages are told."""
        return list(json.loads(fetched(self.network, f"http://127.0.0.1:{PORT}/api/here"))["addresses"])


def fetched(network: Network, url: str) -> str:
    command = network.run(sys.executable, "-c", FETCH, url)
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


@contextmanager
def serving(network: Network, folder: Path, *options: str) -> Iterator[Hub]:
    command = [sys.executable, "-m", "bookboard.cli", "serve", "--port", str(PORT), "--data", str(folder / "data")]
    with subprocess.Popen(network.run(*command, *options), stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Hub(network, process)
        finally:
            process.terminate()
            process.wait(60)


@pytest.fixture
def alone() -> Iterator[Network]:
    """A machine without a network."""
    with networks("hub") as (network,):
        yield network


def add(network: Network, interface: str, *given: str) -> None:
    """A network card that is up, with these addresses."""
    network.ip(f"link add {interface} type veth peer name {interface}-far")
    network.ip(f"link set {interface}-far up")
    network.ip(f"link set {interface} up")
    for address in given:
        network.ip(f"address add {address} dev {interface}")


def test_a_router_without_internet_and_a_phone_behind_it(tmp_path: Path) -> None:
    with networks("hub", "phone") as (hub, phone):
        hub.cable("wlan0", phone, "wlan0")
        hub.ip("address add 192.168.50.7/24 dev wlan0")
        phone.ip("address add 192.168.50.9/24 dev wlan0")
        with serving(hub, tmp_path) as served:
            origin, interface = served.places("localhost")[0].split()
            assert (origin, interface) == (f"http://192.168.50.7:{PORT}", "wlan0")
            assert "Bookboard" in fetched(phone, origin)
            assert served.here == [origin]


def test_a_vpn_or_a_bridge_of_containers_on_the_default_route_is_not_preferred(alone: Network, tmp_path: Path) -> None:
    add(alone, "wlan0", "192.168.50.7/24")
    add(alone, "tun0", "10.8.0.2/24")
    alone.ip("link add docker0 type bridge")
    alone.ip("link set docker0 up")
    alone.ip("address add 172.17.0.1/16 dev docker0")
    alone.ip("link add cards type bridge")  # whoever runs containers named it
    alone.ip("link add veth0 type veth peer name eth0-inside")
    alone.ip("link set veth0 master cards")
    alone.ip("link set cards up")
    alone.ip("address add 10.99.0.1/16 dev cards")
    alone.ip("route add default dev tun0")
    with serving(alone, tmp_path) as served:
        first, *others = served.places("on this computer")
        assert first.split()[:2] == [f"http://192.168.50.7:{PORT}", "wlan0"]
        assert "QR codes" in first
        assert {" ".join(line.split()) for line in others[1:-1]} == {
            f"http://10.99.0.1:{PORT} cards · containers",
            f"http://172.17.0.1:{PORT} docker0 · containers",
        }
        assert others[0].split() == [f"http://10.8.0.2:{PORT}", "tun0", "·", "VPN"]
        assert served.here[0] == f"http://192.168.50.7:{PORT}"


def test_a_bridge_with_a_network_card_in_it_is_a_network(alone: Network, tmp_path: Path) -> None:
    add(alone, "eth0")
    alone.ip("link add br0 type bridge")
    alone.ip("link set eth0 master br0")
    alone.ip("link set br0 up")
    alone.ip("address add 192.168.50.7/24 dev br0")
    with serving(alone, tmp_path) as served:
        assert served.places("on this computer")[0].split() == [f"http://192.168.50.7:{PORT}", "br0"]


def test_the_default_route_chooses_among_networks_and_an_option_before_it(alone: Network, tmp_path: Path) -> None:
    add(alone, "eth0", "10.1.0.5/24")
    add(alone, "wlan0", "192.168.50.7/24", "192.168.51.7/24")
    alone.ip("route add default via 192.168.51.1 dev wlan0")
    by_route, by_option = f"http://192.168.51.7:{PORT}", f"http://10.1.0.5:{PORT}"
    with serving(alone, tmp_path) as served:
        served.until("--interface NAME")
        assert served.here[0] == by_route
    with serving(alone, tmp_path, "--interface", "eth0") as served:
        served.until("on this computer")
        assert served.here == [by_option, by_route, f"http://192.168.50.7:{PORT}"]
    with serving(alone, tmp_path) as served:  # it was kept
        served.until("on this computer")
        assert served.here[0] == by_option
    with serving(alone, tmp_path, "--interface", "192.168.50.7") as served:
        served.until("on this computer")
        assert served.here[0] == f"http://192.168.50.7:{PORT}"
    with serving(alone, tmp_path, "--interface", "auto", "--workers", "2") as served:
        served.until("--interface NAME")
        assert served.here[0] == by_route
    refused = subprocess.run(
        alone.run(
            sys.executable, "-m", "bookboard.cli", "serve", "--interface", "wlan1", "--data", str(tmp_path / "d")
        ),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert refused.returncode == 2
    assert refused.stderr.startswith("bookboard: There is no interface 'wlan1' here; --interface takes one of eth0,")


def test_ipv6_has_its_addresses_and_takes_ipv4_as_well(tmp_path: Path) -> None:
    with networks("hub", "phone") as (hub, phone):
        hub.cable("wlan0", phone, "wlan0")
        for network, number in ((hub, 7), (phone, 9)):
            network.ip(f"address add 192.168.50.{number}/24 dev wlan0")
            network.ip(f"address add fd00:50::{number}/64 dev wlan0 nodad")
        with serving(hub, tmp_path, "--host", "::") as served:
            places = [line.split()[0] for line in served.places("on this computer")]
            assert places[:2] == [f"http://192.168.50.7:{PORT}", f"http://[fd00:50::7]:{PORT}"]
            for place in places[:2]:
                assert "Bookboard" in fetched(phone, place)
        with serving(hub, tmp_path) as served:
            served.until("on this computer")
            assert served.here == [f"http://192.168.50.7:{PORT}"]


def test_a_wifi_that_is_joined_after_the_start_is_noticed(alone: Network, tmp_path: Path) -> None:
    with serving(alone, tmp_path) as served:
        served.until("ATTENTION: No phone can reach this yet")
        assert served.here == [f"http://localhost:{PORT}"]
        add(alone, "wlan0", "169.254.9.9/16")
        served.until("addresses have changed")
        assert served.until("169.254").split()[:4] == [f"http://169.254.9.9:{PORT}", "wlan0", "·", "self-assigned"]
        alone.ip("address add 192.168.50.7/24 dev wlan0")
        served.until("addresses have changed")
        served.until("192.168.50.7")
        assert served.here == [f"http://192.168.50.7:{PORT}", f"http://169.254.9.9:{PORT}"]
        alone.ip("link set wlan0 down")
        served.until("addresses have changed")
        served.until("ATTENTION: No phone can reach this yet")


def test_the_address_of_containers_alone_comes_with_a_warning(alone: Network, tmp_path: Path) -> None:
    alone.ip("link add docker0 type bridge")
    alone.ip("link set docker0 up")
    alone.ip("address add 172.17.0.1/16 dev docker0")
    with serving(alone, tmp_path) as served:
        served.until("ATTENTION: Phones can hardly reach this: the only addresses are those of containers")


# ── without a network ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("interface", "address", "kind"),
    [
        ("wlan0", "192.168.1.5", "network"),
        ("Wi-Fi", "10.1.2.3", "network"),
        ("enp3s0", "fd00::5", "network"),
        ("br-lan", "192.168.1.1", "network"),
        ("en0", "169.254.3.4", "self-assigned"),
        ("utun3", "10.8.0.2", "VPN"),
        ("wg0", "10.8.0.2", "VPN"),
        ("tailscale0", "100.64.1.2", "VPN"),
        ("br-0f3c9a1b2d4e", "172.20.0.1", "containers"),
        ("vEthernet (WSL)", "172.28.0.1", "containers"),
        ("virbr0", "192.168.122.1", "containers"),
        ("lo", "127.0.0.1", None),
        ("lo", "::1", None),
        ("wlan0", "0.0.0.0", None),
        ("wlan0", "fe80::1%wlan0", None),
    ],
)
def test_what_is_behind_an_address(interface: str, address: str, kind: str | None) -> None:
    assert addresses.kind_of(interface, address) == kind


def test_a_service_that_may_list_nothing_still_has_the_address_of_its_default_route(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden() -> None:
        raise PermissionError

    monkeypatch.setattr(addresses, "_ways_out", lambda: {"192.168.1.5"})
    monkeypatch.setattr("psutil.net_if_addrs", forbidden)
    assert addresses.addresses(Config(), 80) == [Address("http://192.168.1.5:80", ip="192.168.1.5")]


def test_an_address_that_was_given_is_used_as_it_is() -> None:
    assert addresses.addresses(Config(url="https://board.example"), 80) == [Address("https://board.example")]
    assert addresses.addresses(Config(host="::1"), 80) == [Address("http://[::1]:80", kind="this computer")]
    assert addresses.addresses(Config(host="localhost"), 80) == [Address("http://localhost:80", kind="this computer")]
    assert addresses.addresses(Config(host="board.example"), 80) == [Address("http://board.example:80")]


def test_a_terminal_gets_a_code_for_phones_unless_no_phone_could_use_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    wifi = Address("http://192.168.1.5:8000", "wlan0", "192.168.1.5")
    Terminal().up(Config(data=Path("data")), [wifi], 3)
    shown = capsys.readouterr().out
    assert "with 3 tables kept in data." in shown
    assert blocks(wifi.origin) in shown
    only_here = Address("http://localhost:8000", kind="this computer")
    Terminal().moved(Config(), [only_here])
    assert "█" not in capsys.readouterr().out


def test_the_code_has_a_border_all_around() -> None:
    rows = blocks("http://192.168.1.5:8000").splitlines()
    assert len({len(row) for row in rows}) == 1
    assert set(rows[0]) == {"█"}
