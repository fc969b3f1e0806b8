"""The rules for the URL of an endpoint (B48, G27)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.webhooks import url_rules as rules
from giftsim.webhooks.url_rules import InvalidUrl, Rule, UrlParts, check_url
from tests.webhooks.url_cases import ACCEPTED, REFUSED, SECRETS

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
    assert "'http://a.example/\\n\\x00\\xfc\\ud800'" in refusal("http://a.example/\n\x00\u00fc\ud800")
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
