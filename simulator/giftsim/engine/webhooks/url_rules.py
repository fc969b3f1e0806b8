"""Rules for the URLs of endpoints, and for the addresses that their hosts resolve to (P-6.21 to P-6.25, B48, G27).

A strict ASCII grammar decides; nothing in a URL is repaired or stripped. A lenient parser reads `2130706433`, `0x7f.1`
or full-width digits as 127.0.0.1; this one refuses them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import msgspec

from giftsim.engine.problem import Problem
from giftsim.engine.url_paths import CONTROL

_LOW = 0xFFFF_FFFF
_LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")

# Ranges whose addresses contain IPv4 addresses: for each the bit offsets of these, and what they are XORed with.
_RANGES = (
    (IPv6Network("::ffff:0:0/96"), ((0, 0),)),  # IPv4-mapped (RFC 4291)
    (IPv6Network("64:ff9b::/96"), ((0, 0),)),  # NAT64 (RFC 6052)
    (IPv6Network("2002::/16"), ((80, 0),)),  # 6to4 (RFC 3056)
    (IPv6Network("2001::/32"), ((64, 0), (0, _LOW))),  # Teredo: server, and client inverted (RFC 4380)
)

# ISATAP interface ids are 0000:5efe or 0200:5efe and an IPv4 address (RFC 5214).
_ISATAP, _ISATAP_MASK = 0x0000_5EFE, 0xFDFF_FFFF


def embedded_addresses(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses inside an IPv6 address of a translator or tunnel. Other addresses contain none."""
    bits = int(address)
    for network, offsets in _RANGES:
        if address in network:
            return tuple(IPv4Address((bits >> shift & _LOW) ^ mask) for shift, mask in offsets)
    return ()


def isatap_address(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address in an interface id of ISATAP, which any network may use."""
    bits = int(address)
    return IPv4Address(bits & _LOW) if bits >> 32 & _ISATAP_MASK == _ISATAP else None


def possible_addresses(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """Every IPv4 address that an IPv6 address may reach.

    Networks choose their own prefixes for NAT64, and most put the IPv4 address into the last 32 bits (RFC 6052), as
    the old compatible and translated addresses do.
    """
    bits = int(address)
    found = (*embedded_addresses(address), IPv4Address(bits & _LOW))
    if address in _LOCAL_NAT64:  # shorter prefixes leave out bits 64 to 71 (RFC 6052, 2.2)
        digits = (bits >> 64 << 56) | (bits & (1 << 56) - 1)
        found += tuple(IPv4Address(digits >> shift & _LOW) for shift in (40, 32, 24))
    return found


MAX_URL_LENGTH = 2048
DEFAULT_PORT = 443


class UrlParts(msgspec.Struct, frozen=True, gc=False):
    """The parts of an accepted URL: `url` as given, `host` in lower case, `path_and_query` as in the request line."""

    url: str
    host: str
    port: int
    path_and_query: str


class Rule(msgspec.Struct, frozen=True, gc=False):
    """One rule of B48, as text. `local` if a URL that breaks it is probably meant for the user's own machine."""

    text: str
    local: bool = False


class InvalidUrl(Problem, status=400, code="invalid_url"):
    """The URL, or an address of its host, breaks `rule`; the message names the URL, the rule and what to do."""

    def __init__(self, message: str, rule: Rule) -> None:
        super().__init__(message)
        self.rule = rule


STRING = Rule("it must be a string")
LENGTH = Rule(f"it must have 1 to {MAX_URL_LENGTH} characters")
BLANK = Rule("it must not contain blanks or control characters")
BACKSLASH = Rule("it must not contain a backslash")
ASCII_ONLY = Rule("it must be plain ASCII: write other host names as punycode (xn--...), the rest percent-encoded")
HTTPS = Rule("it must begin with https://", local=True)
FRAGMENT = Rule("it must not have a fragment (#)")
USERINFO = Rule("it must not contain a user name or password")
HOST_MISSING = Rule("it must name a host after https://")
IP_LITERAL = Rule("its host must be a name, not an IP address in any notation", local=True)
TRAILING_DOT = Rule("its host must not end in a dot")
HOST_NAME = Rule("its host must be labels of the letters a-z, digits and inner hyphens, joined by single dots")
HOST_LENGTH = Rule("its host must have at most 253 characters, each label at most 63")
SPECIAL_USE = Rule("its host must be public: localhost, .local, .internal, .test and other special names are not", True)
TWO_LABELS = Rule("its host must be a public name of at least two labels", local=True)
PORT = Rule("its port must be 443, or one that the setting webhooks.url_ports allows", local=True)
PATH = Rule("its path and query must be percent-encoded where RFC 3986 asks for it")
RESOLVED = Rule("its host must be resolved in this world, and cannot be resolved")
PUBLIC_ADDRESS = Rule("its host resolves, in this world, to an address that is not a public address", local=True)

TO_LOCALHOST = (
    "To deliver to localhost, keep a public name here and forward it in the receiver table, for example "
    f"https://hooks.partner.example/ with PUT {CONTROL}/worlds/{{world}}/receivers/hooks.partner.example "
    '{"mode": "forward", "to": "http://127.0.0.1:9000"}.'
)

# Top-level labels that are not public. `example` is missing on purpose, because documentation uses it (B48).
SPECIAL_USE_NAMES = frozenset(
    (
        # IANA's registry of special-use domain names (RFC 6761, 6762, 7686, 9476); `arpa` has home.arpa (RFC 8375).
        *("alt", "arpa", "invalid", "local", "localhost", "onion", "test"),
        # Reserved by ICANN for private use, or never delegated because so many networks use them.
        *("corp", "home", "internal", "mail"),
        # RFC 6762, appendix G, and the defaults of operating systems, routers and DHCP servers.
        *("belkin", "dhcp", "dlink", "domain", "gateway", "intranet", "lan", "localdomain", "localnet", "private"),
        *("router", "workgroup"),
        # Name services of containers, clusters and clouds: db.default.svc, web.service.consul, api.docker.
        *("cluster", "consul", "containers", "docker", "incus", "k8s", "kubernetes", "lxc", "lxd", "maas", "marathon"),
        *("mesh", "mesos", "minikube", "nomad", "novalocal", "openstacklocal", "podman", "svc", "vagrant", "weave"),
        # Other systems of names, which the DNS does not resolve.
        *("bit", "eth", "exit", "gnu", "i2p"),
    )
)

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_BLANK = re.compile(r"[\x00-\x20\x7f]")
_AFTER_AUTHORITY = re.compile(r"[/?]")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_PATH = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?\[\]-]|%[0-9A-Fa-f]{2})*")
# Everything that a parser may take for a user name or password: up to the last @, also full-width, small or encoded.
_USERINFO = re.compile(r"(https?://)?.*(?:[@\uff20\ufe6b]|%40)", re.IGNORECASE | re.DOTALL)


def check_url(url: object, *, ports: tuple[int, ...] = (DEFAULT_PORT,)) -> UrlParts:
    """The parts of an allowed URL; InvalidUrl names the first rule that it breaks (P-6.21 to P-6.24, B48).

    `ports` are the allowed ports (setting `webhooks.url_ports`). A URL without a port means 443.
    """
    if not isinstance(url, str):
        raise InvalidUrl("url must be a string.", STRING)
    _check_characters(url)
    if url[:8].lower() != "https://":
        raise _refusal(url, HTTPS)
    if "#" in url:
        raise _refusal(url, FRAGMENT)
    authority = _AFTER_AUTHORITY.split(url[8:], maxsplit=1)[0]
    path_and_query = url[8 + len(authority) :]
    host, port = _check_authority(url, authority, ports)
    if not _PATH.fullmatch(path_and_query):
        raise _refusal(url, PATH)
    slash = "" if path_and_query.startswith("/") else "/"
    return UrlParts(url, host.lower(), port, slash + path_and_query)


def _check_characters(url: str) -> None:
    if not 1 <= len(url) <= MAX_URL_LENGTH:
        raise _refusal(url, LENGTH)
    if _BLANK.search(url):
        raise _refusal(url, BLANK)
    if "\\" in url:
        raise _refusal(url, BACKSLASH)
    if _NOT_ASCII.search(url):
        raise _refusal(url, ASCII_ONLY)


def _check_authority(url: str, authority: str, ports: tuple[int, ...]) -> tuple[str, int]:
    if "@" in authority:
        raise _refusal(url, USERINFO)
    if "[" in authority or authority.count(":") > 1:
        raise _refusal(url, IP_LITERAL)
    host, colon, port = authority.partition(":")
    if broken := _broken_host_rule(host):
        raise _refusal(url, broken)
    if colon and not _PORT.fullmatch(port):
        raise _refusal(url, PORT)
    number = int(port) if colon else DEFAULT_PORT
    if number not in ports:
        raise _refusal(url, PORT)
    return host, number


def _broken_host_rule(host: str) -> Rule | None:
    labels = host.split(".")
    if not host:
        return HOST_MISSING
    if not labels[-1]:
        return TRAILING_DOT
    if labels[-1][0].isdigit():  # no public top-level name begins with a digit; decimal, octal and hex numbers do
        return IP_LITERAL
    if not all(_LABEL.fullmatch(label) for label in labels):
        return HOST_NAME
    if len(host) > 253 or max(map(len, labels)) > 63:
        return HOST_LENGTH
    if labels[-1].lower() in SPECIAL_USE_NAMES:
        return SPECIAL_USE
    return TWO_LABELS if len(labels) < 2 else None


def _refusal(url: str, rule: Rule) -> InvalidUrl:
    return InvalidUrl(f"Invalid url {printable_url(url)}: {rule.text}.{' ' + TO_LOCALHOST if rule.local else ''}", rule)


def is_this_machine(host: str) -> bool:
    """Whether a host is `localhost` or a loopback address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def printable_url(url: str) -> str:
    """The start of a URL in quotes, without user name and password; what is not printable is escaped."""
    match = _USERINFO.match(url)
    redacted = f"{match[1] or ''}...@{url[match.end() :]}" if match else url
    return repr(redacted if len(redacted) <= 80 else redacted[:80] + "...")


# Addresses. Sources: the IANA special-purpose registries for IPv4 and IPv6 and the RFCs named.

_NOT_PUBLIC_4 = tuple(
    IPv4Network(cidr)
    for cidr in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private (RFC 1918)
        "100.64.0.0/10",  # shared by carriers (RFC 6598); some clouds keep their metadata here
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a public address that one cloud serves on the host itself
        "169.254.0.0/16",  # link-local, and the metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments (RFC 6890)
        "192.0.2.0/24",  # documentation (RFC 5737)
        "192.88.99.0/24",  # former 6to4 relays (RFC 7526)
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarking (RFC 2544)
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)

# Everything outside of this is unassigned, local (ULA, link-local, site-local), multicast or loopback.
_GLOBAL_UNICAST_6 = IPv6Network("2000::/3")

_NOT_PUBLIC_6 = tuple(
    IPv6Network(cidr)
    for cidr in (
        "2001::/23",  # protocol assignments: benchmarking, ORCHID and others (RFC 2928)
        "2001:db8::/32",  # documentation (RFC 3849)
        "3ffe::/16",  # former test network (RFC 3701)
        "3fff::/20",  # documentation (RFC 9637)
    )
)


@lru_cache(maxsize=4096)  # checked before every attempt (P-6.25), mostly for the same few addresses
def is_public(address: str) -> bool:
    """Whether text is a public IPv4 or IPv6 address; False for documentation addresses, zones and other text.

    For mapped, NAT64, 6to4, Teredo and ISATAP addresses the IPv4 address inside decides.
    """
    if "%" in address:
        return False
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return _is_public_4(parsed) if isinstance(parsed, IPv4Address) else _is_public_6(parsed)


def check_addresses(host: str, addresses: tuple[str, ...]) -> None:
    """InvalidUrl unless `host` resolves, and to public addresses only (P-6.24, B48)."""
    if not addresses:
        raise InvalidUrl(f"Invalid url: its host {host} cannot be resolved.", RESOLVED)
    for address in addresses:
        if not is_public(address):
            raise InvalidUrl(
                f"Invalid url: its host {host} resolves to {address}, which is not a public address. {TO_LOCALHOST}",
                PUBLIC_ADDRESS,
            )


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _NOT_PUBLIC_4)


def _is_public_6(address: IPv6Address) -> bool:
    if inside := embedded_addresses(address):
        return all(map(_is_public_4, inside))
    if address not in _GLOBAL_UNICAST_6 or any(address in network for network in _NOT_PUBLIC_6):
        return False
    tunnelled = isatap_address(address)
    return tunnelled is None or _is_public_4(tunnelled)
