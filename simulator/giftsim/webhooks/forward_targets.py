"""Where a forwarded delivery may go: this machine's loopback, and what the operator allowed at the start (B49, G25)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

import msgspec

_TO = re.compile(
    r"http://(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?))(?::([1-9][0-9]{0,4}))?/?"
)
_DOTTED = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")

LOOPBACK = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))

# Link-local, and where clouds keep the credentials of a machine: never, whatever the operator allows.
FORBIDDEN = (
    IPv4Network("169.254.0.0/16"),
    IPv4Network("100.100.100.200/32"),
    IPv4Network("168.63.129.16/32"),
    IPv6Network("fe80::/10"),
    IPv6Network("fd00:ec2::254/128"),
)
FORBIDDEN_NAMES = ("metadata", "metadata.google.internal", "instance-data")


class ForwardTarget(msgspec.Struct, frozen=True, gc=False):
    """A target in its parts: a host name or an address without brackets, and a port."""

    host: str
    port: int

    @property
    def authority(self) -> str:
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return shown if self.port == 80 else f"{shown}:{self.port}"


def parse_target(to: str) -> ForwardTarget:
    """The parts of `http://HOST[:PORT]`; ValueError for any other URL."""
    found = _TO.fullmatch(to)
    if found is None or int(found[3] or 80) > 65535:
        raise ValueError(f"{to!r} is no target like http://127.0.0.1:9000 (http, an address, a port, no path)")
    return ForwardTarget((found[1] or found[2]).lower(), int(found[3] or 80))


def check_target(to: str, allowed: Sequence[str] = ()) -> ForwardTarget:
    """The parts of a target that may be forwarded to; ValueError otherwise. `allowed`: `HOST[:PORT]` or a network."""
    target = parse_target(to)
    if not is_loopback(target.host) and not any(_allows(entry, target) for entry in allowed):
        raise ValueError(
            f"{to} is not on this machine: forward to 127.0.0.0/8 or [::1], written as an address; other places need"
            " the option --forward-allow when the simulator is started"
        )
    if is_forbidden(target.host):
        raise ValueError(f"{to} is link-local or a metadata service: nothing is ever forwarded there")
    return target


def is_loopback(host: str) -> bool:
    """Whether text is an address of 127.0.0.0/8 or ::1; names are not, since they may resolve to anything."""
    return _within(host, LOOPBACK)


def is_forbidden(host: str) -> bool:
    """Whether text names a link-local address or a metadata service, also as an IPv4 address mapped into IPv6."""
    return host in FORBIDDEN_NAMES or _within(host, FORBIDDEN)


def check_allowance(entry: str) -> str:
    """An entry of the operator's list as it was given: `HOST`, `HOST:PORT` or a network; ValueError otherwise."""
    if "/" in entry:
        ip_network(entry)
    else:
        parse_target(f"http://{entry}")
    return entry


def _allows(entry: str, target: ForwardTarget) -> bool:
    if "/" in entry:
        return _within(target.host, (ip_network(entry),))
    found = parse_target(f"http://{entry}")
    has_port = entry.rpartition("]")[2].rpartition(":")[1]
    return found.host == target.host and (not has_port or found.port == target.port)


def _within(host: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    if not (_DOTTED.fullmatch(host) or ":" in host):
        return False
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in network for network in networks if network.version == mapped.version)
