"""Where webhooks may be forwarded: to loopback, and to what `--forward-allow` lists (B49, G25)."""

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

# Link-local addresses and the metadata services of clouds: never forwarded to, whatever the operator allows.
FORBIDDEN = (
    IPv4Network("169.254.0.0/16"),
    IPv4Network("100.100.100.200/32"),
    IPv4Network("168.63.129.16/32"),
    IPv6Network("fe80::/10"),
    IPv6Network("fd00:ec2::254/128"),
)
FORBIDDEN_NAMES = ("metadata", "metadata.google.internal", "instance-data")


class ForwardTarget(msgspec.Struct, frozen=True, gc=False):
    """The parts of a target: a host name, or an address without brackets, and a port."""

    host: str
    port: int

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 80 else f"{host}:{self.port}"


def parse_target(to: str) -> ForwardTarget:
    """The parts of `http://HOST[:PORT]`; ValueError for any other URL."""
    match = _TO.fullmatch(to)
    if match is None or int(match[3] or 80) > 65535:
        raise ValueError(f"{to!r} is not a target: write it like http://127.0.0.1:9000, with http and without a path")
    return ForwardTarget((match[1] or match[2]).lower(), int(match[3] or 80))


def check_target(to: str, allowed: Sequence[str] = ()) -> ForwardTarget:
    """The parts of an allowed target; ValueError otherwise. Entries of `allowed` are `HOST[:PORT]` or a network."""
    target = parse_target(to)
    if not is_loopback(target.host) and not any(_allows(entry, target) for entry in allowed):
        raise ValueError(
            f"{to} is not on this machine: use an address in 127.0.0.0/8 or [::1], or allow other targets with the"
            " option --forward-allow when you start the simulator"
        )
    if is_forbidden(target.host):
        raise ValueError(f"{to} is link-local or a metadata service: webhooks are never forwarded there")
    return target


def is_loopback(host: str) -> bool:
    """Whether the host is an address in 127.0.0.0/8 or ::1. Names are not: they may resolve to anything."""
    return _within(host, LOOPBACK)


def is_forbidden(host: str) -> bool:
    """Whether the host is link-local or a metadata service, including IPv4-mapped IPv6 addresses."""
    return host in FORBIDDEN_NAMES or _within(host, FORBIDDEN)


def check_allowance(entry: str) -> str:
    """The entry unchanged if it is `HOST`, `HOST:PORT` or a network; ValueError otherwise."""
    if "/" in entry:
        ip_network(entry)
    else:
        parse_target(f"http://{entry}")
    return entry


def _allows(entry: str, target: ForwardTarget) -> bool:
    if "/" in entry:
        return _within(target.host, (ip_network(entry),))
    allowed = parse_target(f"http://{entry}")
    has_port = entry.rpartition("]")[2].rpartition(":")[1]
    return allowed.host == target.host and (not has_port or allowed.port == target.port)


def _within(host: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    if not (_DOTTED.fullmatch(host) or ":" in host):
        return False
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in network for network in networks if network.version == mapped.version)
