"""IPv4 addresses inside IPv6 addresses: what a translator or tunnel between here and there may make of an address."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network

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
    """The IPv4 addresses that an address of one of the ranges for translators and tunnels contains; mostly none."""
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
    """Every IPv4 address that an IPv6 address may lead to.

    Networks choose prefixes of their own for NAT64, and most put the IPv4 address into the last 32 bits (RFC 6052), as
    the old compatible and translated addresses do.
    """
    bits = int(address)
    found = (*embedded_addresses(address), IPv4Address(bits & _LOW))
    if address in _LOCAL_NAT64:  # shorter prefixes leave out bits 64 to 71 (RFC 6052, 2.2)
        digits = (bits >> 64 << 56) | (bits & (1 << 56) - 1)
        found += tuple(IPv4Address(digits >> shift & _LOW) for shift in (40, 32, 24))
    return found
