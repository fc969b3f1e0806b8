"""Where webhooks may be forwarded: to loopback, and to the targets that `--forward-allow` lists (B49, G25)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import msgspec

from giftsim.engine.webhooks.url_rules import possible_addresses, printable_url

_TO = re.compile(
    r"http://(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?))(?::([1-9][0-9]{0,4}))?/?"
)
# Some resolvers read a name that ends in such a label as an address: 2852039166, 0xa9fea9fe, 0251.0376.0251.0376.
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")

LOCALHOST = "localhost"  # the one name that is a target like an address: the courier connects only to loopback for it
LOOPBACK = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))

# Link-local addresses and the metadata services of clouds: never forwarded to, whatever the operator allows.
FORBIDDEN = (
    IPv4Network("169.254.0.0/16"),
    IPv4Network("100.100.100.200/32"),
    IPv4Network("168.63.129.16/32"),
    IPv4Network("192.0.0.192/32"),
    IPv6Network("fe80::/10"),
    IPv6Network("fd00:42::42/128"),
    IPv6Network("fd00:c1::/32"),
    IPv6Network("fd00:ec2::/32"),
    IPv6Network("fd20:ce::/32"),
)
# Names of metadata services. Others resolve to an address above, which the courier never connects to.
FORBIDDEN_NAMES = frozenset(
    (
        *("api.metadata.cloud.ibm.com", "instance-data", "instance-data.ec2.internal", "metadata", "metadata.goog"),
        *("metadata.azure.com", "metadata.azure.internal", "metadata.google.internal", "metadata.oraclecloud.com"),
        *("metadata.packet.net", "metadata.platformequinix.com", "metadata.tencentyun.com", "rancher-metadata"),
    )
)


class ForwardTarget(msgspec.Struct, frozen=True, gc=False):
    """The parts of a target: a host name, or an address without brackets, and a port."""

    host: str
    port: int

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 80 else f"{host}:{self.port}"


@lru_cache(256)  # a receiver has the same target for each of its deliveries
def parse_target(to: str) -> ForwardTarget:
    """The parts of `http://HOST[:PORT]`; ValueError for any other URL, and for numbers that are not a plain address."""
    match = _TO.fullmatch(to)
    if match is None or int(match[3] or 80) > 65535:
        raise ValueError(
            f"{printable_url(to)} is not a target: write it like http://127.0.0.1:9000, with http and without a path"
        )
    host = (match[1] or match[2]).lower()
    if (match[1] or _NUMBER.fullmatch(host.rpartition(".")[2])) and _read_address(host) is None:
        raise ValueError(
            f"{printable_url(to)} is not a target: write its address like 127.0.0.1 or [::1], in no other form"
        )
    return ForwardTarget(host, int(match[3] or 80))


def check_target(to: str, allowed: Sequence[str] = ()) -> ForwardTarget:
    """The parts of an allowed target; ValueError otherwise. Entries of `allowed` are `HOST[:PORT]` or a network."""
    target = parse_target(to)
    if not is_allowed(target, allowed):
        raise ValueError(
            f"{to} is not on this machine: use localhost or an address in 127.0.0.0/8 or [::1], or allow other targets"
            " with the option --forward-allow when you start the simulator (see docs/how-to/receive-webhooks.md)"
        )
    _refuse_forbidden(target.host, to)
    return target


def is_allowed(target: ForwardTarget, allowed: Sequence[str]) -> bool:
    """Whether a target is on this machine or among `allowed`."""
    return target.host == LOCALHOST or is_loopback(target.host) or any(_allows(entry, target) for entry in allowed)


def is_loopback(host: str) -> bool:
    """Whether the host is an address in 127.0.0.0/8 or ::1. Names are not: they may resolve to anything."""
    return _within(host, LOOPBACK)


def may_connect(target: ForwardTarget, address: str) -> bool:
    """Whether the courier may connect to an address that the target's host resolves to."""
    return not is_forbidden(address) and (target.host != LOCALHOST or is_loopback(address))


def is_forbidden(host: str) -> bool:
    """Whether the host is link-local or a metadata service, in any form that reaches it (G90).

    Such forms are IPv4-mapped, compatible, NAT64, 6to4, Teredo and ISATAP addresses.
    """
    if host in FORBIDDEN_NAMES:
        return True
    address = _read_address(host)
    if address is None:
        return False
    forms = (address,) if isinstance(address, IPv4Address) else (address, *possible_addresses(address))
    return any(form in network for form in forms for network in FORBIDDEN if network.version == form.version)


def check_allowance(entry: str) -> str:
    """The entry unchanged if it is `HOST`, `HOST:PORT` or a network that webhooks may go to; ValueError otherwise."""
    if "/" in entry:
        network = ip_network(entry)
        if is_forbidden(str(network[0])) and is_forbidden(str(network[-1])):
            _refuse_forbidden(str(network[0]), entry)
    else:
        _refuse_forbidden(parse_target(f"http://{entry}").host, entry)
    return entry


def _refuse_forbidden(host: str, text: str) -> None:
    if is_forbidden(host):
        raise ValueError(f"{text} is link-local or a metadata service: webhooks are never forwarded there")


def _allows(entry: str, target: ForwardTarget) -> bool:
    if "/" in entry:
        return _within(target.host, (ip_network(entry),))
    allowed = parse_target(f"http://{entry}")
    has_port = entry.rpartition("]")[2].rpartition(":")[1]
    return allowed.host == target.host and (not has_port or allowed.port == target.port)


def _within(host: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    address = _read_address(host)
    if address is None:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in network for network in networks if network.version == mapped.version)


def _read_address(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is, without its zone; None for a name."""
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        return None
