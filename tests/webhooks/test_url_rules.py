"""The rules for the URL of an endpoint (B48, G27)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.webhooks import url_rules as rules
from giftsim.engine.webhooks.url_rules import (
    TO_LOCALHOST,
    InvalidUrl,
    Rule,
    UrlParts,
    check_addresses,
    check_url,
    is_public,
)
from tests.webhooks.url_cases import ACCEPTED, REFUSED, SECRETS

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


LOCAL_RULES = (rules.HTTPS, rules.IP_LITERAL, rules.SPECIAL_USE, rules.TWO_LABELS, rules.PORT)


def refusal(url: object, **options: tuple[int, ...]) -> str:
    with pytest.raises(InvalidUrl) as caught:
        check_url(url, **options)
    assert (caught.value.status, caught.value.code) == (400, "invalid_url")
    assert not caught.value.details
    return caught.value.message


@pytest.mark.parametrize(("url", "rule"), REFUSED)
def test_an_error_names_the_rule_that_the_url_breaks(url: str, rule: Rule) -> None:
    assert rule.text in refusal(url)


@pytest.mark.parametrize(("url", "host", "path_and_query"), ACCEPTED)
def test_a_valid_url_is_split_without_changes(url: str, host: str, path_and_query: str) -> None:
    assert check_url(url) == UrlParts(url, host, 443, path_and_query)


def test_the_cases_cover_every_rule_of_a_urls_text() -> None:
    beyond_the_text = (rules.STRING, rules.RESOLVED, rules.PUBLIC_ADDRESS)
    texts = {rule.text for rule in vars(rules).values() if isinstance(rule, Rule) and rule not in beyond_the_text}
    assert len({url for url, _ in REFUSED}) == len(REFUSED) >= 80
    assert {rule.text for _, rule in REFUSED} == texts


@pytest.mark.parametrize("url", [None, True, 7, 7.0, b"https://example.com/", ["https://example.com/"], {}])
def test_a_url_must_be_a_string(url: object) -> None:
    assert refusal(url) == "url must be a string."


@pytest.mark.parametrize("name", sorted(rules.SPECIAL_USE_NAMES))
def test_special_use_names_are_refused_in_any_letter_case(name: str) -> None:
    assert rules.SPECIAL_USE.text in refusal(f"https://hooks.{name}/")
    assert rules.SPECIAL_USE.text in refusal(f"https://a.hooks.{name.upper()}/")


@pytest.mark.parametrize(
    "host",
    [
        "web.default.svc", "web.default.svc.cluster.local", "web.service.consul", "host.docker.internal", "db.docker",
        "gateway.docker.internal", "ip-10-0-0-7.ec2.internal", "metadata.google.internal", "nas.local", "nas.lan",
        "nas.home.arpa", "10.in-addr.arpa", "printer.home", "app.localhost", "web.nomad", "web.marathon.mesos",
        "db.podman", "node.maas", "vm.openstacklocal", "vm.novalocal", "a.onion", "a.i2p", "a.alt",
    ],
)  # fmt: skip
def test_names_that_only_a_private_network_resolves_are_not_public(host: str) -> None:
    assert rules.SPECIAL_USE.text in refusal(f"https://{host}/hook")


@pytest.mark.parametrize("host", ["hooks.partner.example", "svc.example.com", "consul.io", "internal.example.org"])
def test_special_names_inside_a_public_name_are_fine(host: str) -> None:
    assert check_url(f"https://{host}/hook").host == host


def test_only_allowed_ports_are_accepted_and_the_default_is_443() -> None:
    assert check_url("https://a.example:8443/", ports=(443, 8443)).port == 8443
    assert check_url("https://a.example/", ports=(443, 8443)).port == 443
    assert rules.PORT.text in refusal("https://a.example/", ports=(8443,))
    assert rules.PORT.text in refusal("https://a.example:443/", ports=(8443,))
    assert rules.PORT.text in refusal("https://a.example/", ports=())


@pytest.mark.parametrize(("url", "rule"), REFUSED)
def test_errors_of_local_urls_explain_forwarding_to_localhost(url: str, rule: Rule) -> None:
    assert (rules.TO_LOCALHOST in refusal(url)) == (rule in LOCAL_RULES)


def test_the_explanation_of_forwarding_uses_a_valid_url() -> None:
    assert "https://hooks.partner.example/" in rules.TO_LOCALHOST
    assert check_url("https://hooks.partner.example/").host == "hooks.partner.example"


def test_messages_show_the_start_of_the_url_with_escapes() -> None:
    assert "'http://a.example/x'" in refusal("http://a.example/x")
    assert "'http://a.example/\\n\\x00\u00fc\\ud800'" in refusal("http://a.example/\n\x00\u00fc\ud800")
    message = refusal("http://a.example/" + "x" * 1_000_000)
    assert len(message) < 600
    assert "xxx..." in message


@pytest.mark.parametrize("template", SECRETS)
def test_no_message_shows_a_user_name_or_password(template: str) -> None:
    message = refusal(template.format("sesame", "hunter2"))
    assert "sesame" not in message
    assert "hunter2" not in message
    assert "example.com" in message or "localhost/" in message


LDH = st.text("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-", min_size=1, max_size=20)
URLISH = st.lists(
    st.sampled_from([*"aZ0x7.:/?#@[]%\\ \t\u00fc\uff11_-", "https://", "127", "localhost", "com"]), max_size=12
)


@given(st.text() | URLISH.map("".join) | URLISH.map(lambda parts: "https://" + "".join(parts)))
def test_the_standard_library_reads_every_accepted_url_the_same_way(url: str) -> None:
    try:
        target = check_url(url)
    except InvalidUrl:
        return
    parts = urlsplit(url)
    assert target.url == url
    assert parts.scheme == "https"
    assert parts.hostname == target.host
    assert parts.port in (None, target.port)
    assert parts.username is parts.password is None
    assert (parts.path or "/") + (("?" + parts.query) if "?" in url else "") == target.path_and_query
    assert url.isascii()
    assert url.isprintable()
    assert "." in target.host


@given(st.lists(LDH, min_size=1, max_size=5))
def test_a_host_is_accepted_if_its_labels_are(labels: list[str]) -> None:
    host = ".".join(labels)
    top_level = labels[-1]
    is_valid = (
        len(labels) >= 2
        and all(label[0] != "-" != label[-1] for label in labels)
        and not top_level[0].isdigit()
        and top_level.lower() not in rules.SPECIAL_USE_NAMES
    )
    if is_valid:
        assert check_url(f"https://{host}/hook").host == host.lower()
    else:
        refusal(f"https://{host}/hook")


NUMBER_FORMATS = (str, hex, "0{:o}".format, "0X{:X}".format, "{:012d}".format)


@given(st.ip_addresses(v=4), st.integers(1, 4), st.lists(st.sampled_from(NUMBER_FORMATS), min_size=4, max_size=4))
def test_an_ipv4_address_is_refused_in_every_notation(
    address: IPv4Address, parts: int, formats: list[type[str]]
) -> None:
    octets = list(address.packed)
    last = int.from_bytes(octets[parts - 1 :], "big")
    numbers = [*octets[: parts - 1], last]
    host = ".".join(convert(number) for convert, number in zip(formats, numbers, strict=False))
    assert rules.IP_LITERAL.text in refusal(f"https://{host}/")


@given(st.ip_addresses(v=6), st.sampled_from(["{}", "[{}]", "[{}]:443", "[{}%25eth0]"]))
def test_an_ipv6_address_is_refused_in_every_notation(address: IPv6Address, template: str) -> None:
    for text in (address.compressed, address.exploded, address.exploded.upper()):
        assert rules.IP_LITERAL.text in refusal(f"https://{template.format(text)}/")
