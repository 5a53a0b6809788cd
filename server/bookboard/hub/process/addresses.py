"""Where other devices reach this machine: every address with its interface, the best one for phones first.

Interfaces are listed, not guessed from the default route: a venue's router may have no internet behind it, and the
default route may lead into a VPN.
"""

import asyncio
import ipaddress
import os
import re
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import psutil
from msgspec import Struct

from bookboard.config import Config

LOOK_EVERY_S = 2.0

Kind = Literal["network", "self-assigned", "VPN", "containers", "this computer"]

# From the one that phones are most likely to reach to the one that they never do.
_ORDER: tuple[Kind, ...] = ("network", "self-assigned", "VPN", "containers", "this computer")
_VPN = re.compile(
    r"tun|tap|wg|ppp|tailscale|zt|nordlynx|proton|ipsec|xfrm|vti|gre|sit\d|ham\d|cscotun|gpd|nebula|openvpn|zerotier"
)
_CONTAINERS = re.compile(
    r"docker|br-[0-9a-f]{6,}$|virbr|lxcbr|lxdbr|incusbr|podman|cni|flannel|cali|cilium|kube|weave|vmnet|vboxnet|bridge1\d\d$"
    r"|vethernet|virtualbox|vmware"
)
_PORTS_OF_CONTAINERS = re.compile(r"veth|tap|vnet|lxc|cali")
# What container engines give to the network card inside a container.
_INSIDE = [ipaddress.ip_network(network) for network in ("172.16.0.0/12", "10.88.0.0/16", "10.42.0.0/16")]
_MARKS_OF_A_CONTAINER = ("/.dockerenv", "/run/.containerenv")
# Documentation addresses: nothing is sent to them, the system only chooses the way it would take.
_SOMEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_ALL_IPV4, _ALL_IPV6 = "0.0.0.0", "::"  # noqa: S104 - compared, not bound


class Address(Struct, frozen=True):
    """One way in. `interface` and `ip` are empty where it is not an address of an interface."""

    origin: str
    interface: str = ""
    ip: str = ""
    kind: Kind = "network"

    @property
    def is_for_phones(self) -> bool:
        """Whether a phone in the same room may reach it."""
        return self.kind in {"network", "self-assigned"}


def for_others(ways: list[Address]) -> list[str]:
    """Those that a page may put into a QR code instead of its own; inside a container none is known."""
    return [way.origin for way in ways if way.kind != "containers"]


class Local(Struct, frozen=True):
    """An address of one of this machine's interfaces."""

    interface: str
    ip: str
    kind: Kind


def addresses(config: Config, port: int) -> list[Address]:
    """The way in that invitations and QR codes use, then all others; never empty."""
    if config.url is not None:
        return [Address(config.url)]
    found = [local for local in local_addresses() if _is_served(local, config.host)]
    # A stable sort: among those of the chosen interface, the best stays the first.
    found.sort(key=lambda local: not is_chosen(local, config.interface))
    listed = [Address(origin(local.ip, port), local.interface, local.ip, local.kind) for local in found]
    if not listed and not _is_everywhere(config.host):
        kind: Kind = "this computer" if _is_loopback(config.host) else "network"
        listed = [Address(origin(config.host, port), kind=kind)]
    return listed or [Address(f"http://localhost:{port}", kind="this computer")]


async def follow(config: Config, port: int, changed: Callable[[list[Address]], None]) -> None:
    """Tells of each change, until it is cancelled: the Wi-Fi may be joined after the start."""
    known = addresses(config, port)
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        found = addresses(config, port)
        if found != known:
            known = found
            changed(found)


def is_chosen(local: Local, interface: str | None) -> bool:
    """Whether it is what `--interface` names: an interface or one of its addresses."""
    return interface in {local.interface, local.ip}


def origin(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def interfaces() -> list[str]:
    """All of this machine's, with and without an address."""
    with suppress(OSError):
        return sorted(psutil.net_if_addrs())
    return []


def local_addresses() -> list[Local]:
    """Those that can stand in a link, the one that most likely leads to the phones first."""
    preferred = _ways_out()
    states: dict[str, Any] = {}
    try:
        listed = psutil.net_if_addrs()
        with suppress(OSError):  # a service may be kept from /proc
            states = psutil.net_if_stats()
    except OSError:  # or from AF_NETLINK
        return [Local("", ip, "network") for ip in sorted(preferred) if kind_of("", ip)]
    found: list[tuple[object, Local]] = []
    for interface, entries in listed.items():
        state = states.get(interface)
        flags = state.flags.split(",") if state is not None and state.flags else ["up"]  # Windows has no flags
        if "up" not in flags:
            continue
        has_carrier = state is None or state.isup
        for entry in entries:
            if entry.family not in {socket.AF_INET, socket.AF_INET6}:
                continue
            ip = entry.address
            kind = kind_of(interface, ip)
            if kind == "network" and "pointopoint" in flags:
                kind = "VPN"
            if kind is not None:
                rank = _ORDER.index(kind), not has_carrier, ":" in ip, ip not in preferred
                found.append((rank, Local(interface, ip, kind)))
    return [local for _, local in sorted(found, key=itemgetter(0))]


def kind_of(interface: str, address: str) -> Kind | None:
    """What is behind an interface's address. None for one that no link can name, or that leads nowhere."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if ip.is_loopback or ip.is_unspecified or ip.is_multicast or (ip.version == 6 and ip.is_link_local):
        return None
    name = interface.lower()
    if _CONTAINERS.match(name) or _is_bridge_of_containers(interface) or _is_inside_a_container(ip):
        return "containers"
    if _VPN.match(name) or name.startswith("utun"):
        return "VPN"
    return "self-assigned" if ip.is_link_local else "network"


def _is_bridge_of_containers(interface: str) -> bool:
    """A bridge that joins a network card to something is the venue's network."""
    ports: list[str] = []
    with suppress(OSError):
        ports = [port.name for port in Path(f"/sys/class/net/{interface}/brif").iterdir()]
    return bool(ports) and all(_PORTS_OF_CONTAINERS.match(port) for port in ports)


def _is_inside_a_container(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    is_inside = "KUBERNETES_SERVICE_HOST" in os.environ or any(Path(mark).exists() for mark in _MARKS_OF_A_CONTAINER)
    return is_inside and any(ip in network for network in _INSIDE)


def _ways_out() -> set[str]:
    """The addresses that the default routes start from: among equals, they come first."""
    found: set[str] = set()
    for family, somewhere in _SOMEWHERE:
        with suppress(OSError), closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
            probe.connect((somewhere, 9))
            found.add(probe.getsockname()[0])
    return found


def _is_everywhere(host: str) -> bool:
    return host in {_ALL_IPV4, _ALL_IPV6}


def _is_served(local: Local, host: str) -> bool:
    """Whether a hub that listens on `host` is reached there; `::` takes IPv4 as well."""
    return host in {_ALL_IPV6, local.ip} or (host == _ALL_IPV4 and ":" not in local.ip)


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
