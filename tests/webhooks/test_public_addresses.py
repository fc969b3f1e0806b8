"""Public addresses: the only ones that webhooks may be sent to, in any notation (P-6.24, B48)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.webhooks.url_rules import TO_LOCALHOST, InvalidUrl, check_addresses, is_public

NOT_PUBLIC = (
    *(
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.0",
        "10.0.0.5",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
    ),
    *(
        "127.0.0.1",
        "127.255.255.255",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
    ),
    *("192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1"),
    *("198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::93.184.216.34", "64:ff9b:1::1", "100::1", "1fff::1", "4000::1", "5f00::1"),
    *("2001::", "2001:1::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "3ffe::1"),
    *("3fff::1", "3fff:fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "ffff::1"),
    # the ends of some ranges
    *(
        "0.255.255.255",
        "192.0.2.255",
        "192.88.99.255",
        "198.51.100.255",
        "203.0.113.255",
        "192.0.0.255",
        "3ffe:ffff::1",
    ),
    # IPv4 addresses inside IPv6 addresses
    *("::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.5", "::ffff:0:93.184.216.34", "64:ff9b::10.0.0.5"),
    *("64:ff9b::7f00:1", "2002:7f00:1::1", "2002:a00:5:1::1", "2002:c0a8:1::1"),
    "2001:0:4136:e378:8000:63bf:80ff:fffe",  # Teredo to 127.0.0.1
    "2001:0:a00:5:8000:63bf:a247:27dd",  # Teredo by way of 10.0.0.5
    *("2606:4700::5efe:7f00:1", "2606:4700::200:5efe:10.0.0.5"),  # ISATAP
    # not an address, or not in the one notation that all programs read the same way
    *(
        "",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f000001",
        "93.184.216",
        "93.184.216.034",
        "093.184.216.34",
        "0x5d.0.0.1",
    ),
    *(
        " 93.184.216.34",
        "93.184.216.34 ",
        "93.184.216.34\n",
        "93.184.216.34/32",
        "\uff19\uff13.184.216.34",
        "256.1.1.1",
    ),
    *("[2606:4700::1]", "2606:4700::1%eth0", "fe80::1%1", "2606:4700:::1", "2606:4700::1/128", "::ffff:127.1"),
)

PUBLIC = (
    *("1.1.1.1", "8.8.8.8", "93.184.216.34", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"),
    *("126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0"),
    *("172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255"),
    *("192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0"),
    *("223.255.255.255", "2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::1"),
    *("2606:4700::1", "2606:4700:0:0:0:0:0:1", "2606:4700::ABCD", "2a00:1450::1", "3ffd:ffff::1", "3fef::1"),
    *("3fff:1000::1", "::ffff:93.184.216.34", "::ffff:5db8:d822", "64:ff9b::93.184.216.34", "2002:5db8:d822::1"),
    "2001:0:4136:e378:8000:63bf:a247:27dd",  # Teredo to 93.184.216.34
    *("2606:4700::5efe:93.184.216.34", "2606:4700::100:5efe:7f00:1"),  # ISATAP, and what only looks like it
)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_is_not_public(address: str) -> None:
    assert is_public(address) is False


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_is_public(address: str) -> None:
    assert is_public(address) is True


@given(st.ip_addresses(v=4))
def test_the_standard_library_agrees_that_a_public_ipv4_address_is_global(address: IPv4Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not address.is_multicast


@given(st.ip_addresses(v=6))
def test_the_standard_library_agrees_that_a_public_ipv6_address_is_global(address: IPv6Address) -> None:
    if is_public(str(address)):
        embedded = address.ipv4_mapped or address.sixtofour or address.teredo
        assert address.is_global or embedded
        assert not address.is_multicast


@given(st.ip_addresses(v=4))
def test_the_ipv4_address_inside_an_ipv6_address_decides(address: IPv4Address) -> None:
    number = int(address)
    notations = (
        f"::ffff:{address}",
        f"64:ff9b::{address}",
        str(IPv6Address((0x2002 << 112) | (number << 80) | 1)),
        str(IPv6Address((0x2001 << 112) | (0x4136E378 << 64) | (number ^ 0xFFFF_FFFF))),
        str(IPv6Address((0x2001 << 112) | (number << 64) | (0x5DB8D822 ^ 0xFFFF_FFFF))),
    )
    assert {is_public(notation) for notation in notations} == {is_public(str(address))}


@given(st.text())
def test_text_that_is_not_an_address_is_not_public(text: str) -> None:
    try:
        ip_address(text)
    except ValueError:
        assert not is_public(text)


def test_a_host_with_only_public_addresses_is_accepted() -> None:
    check_addresses("hooks.partner.example", ("93.184.216.34", "2606:4700::1"))


def test_the_error_names_the_first_address_that_is_not_public() -> None:
    with pytest.raises(InvalidUrl) as caught:
        check_addresses("hooks.partner.example", ("93.184.216.34", "10.0.0.5", "127.0.0.1"))
    assert "hooks.partner.example resolves to 10.0.0.5" in caught.value.message
    assert "127.0.0.1," not in caught.value.message
    assert TO_LOCALHOST in caught.value.message


def test_a_host_without_addresses_is_refused() -> None:
    with pytest.raises(InvalidUrl, match=r"hooks\.partner\.example cannot be resolved"):
        check_addresses("hooks.partner.example", ())
