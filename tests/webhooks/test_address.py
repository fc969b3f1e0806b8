"""What an endpoint's URL may look like (B48, G27), against people who try."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.webhooks import url_rules as rules
from giftsim.webhooks.url_rules import InvalidUrl, Rule, UrlParts, check_url
from tests.webhooks.spellings import ACCEPTED, REFUSED, SECRETS

LOCAL_RULES = (rules.HTTPS, rules.IP_LITERAL, rules.SPECIAL_USE, rules.TWO_LABELS, rules.PORT)


def refusal(url: object, **options: tuple[int, ...]) -> str:
    with pytest.raises(InvalidUrl) as caught:
        check_url(url, **options)
    assert (caught.value.status, caught.value.code) == (400, "invalid_url")
    assert not caught.value.details
    return caught.value.message


@pytest.mark.parametrize(("url", "rule"), REFUSED)
def test_a_bad_url_is_refused_by_the_rule_it_breaks(url: str, rule: Rule) -> None:
    assert rule.text in refusal(url)


@pytest.mark.parametrize(("url", "host", "path_and_query"), ACCEPTED)
def test_a_good_url_is_taken_apart_without_repair(url: str, host: str, path_and_query: str) -> None:
    assert check_url(url) == UrlParts(url, host, 443, path_and_query)


def test_the_table_is_long_and_names_every_rule() -> None:
    every = {rule.text for rule in vars(rules).values() if isinstance(rule, Rule)}
    assert len({url for url, _ in REFUSED}) == len(REFUSED) >= 80
    assert {rule.text for _, rule in REFUSED} == every


@pytest.mark.parametrize("url", [None, True, 7, 7.0, b"https://example.com/", ["https://example.com/"], {}])
def test_only_text_is_a_url(url: object) -> None:
    assert refusal(url) == "url must be a string."


@pytest.mark.parametrize("name", rules.SPECIAL_USE_NAMES)
def test_every_special_use_name_is_refused_in_any_letter_case(name: str) -> None:
    assert rules.SPECIAL_USE.text in refusal(f"https://hooks.{name}/")
    assert rules.SPECIAL_USE.text in refusal(f"https://a.hooks.{name.upper()}/")


def test_ports_are_those_allowed_and_no_port_means_443() -> None:
    assert check_url("https://a.example:8443/", ports=(443, 8443)).port == 8443
    assert check_url("https://a.example/", ports=(443, 8443)).port == 443
    assert rules.PORT.text in refusal("https://a.example/", ports=(8443,))
    assert rules.PORT.text in refusal("https://a.example:443/", ports=(8443,))
    assert rules.PORT.text in refusal("https://a.example/", ports=())


@pytest.mark.parametrize(("url", "rule"), REFUSED)
def test_the_way_to_localhost_is_told_where_somebody_may_look_for_it(url: str, rule: Rule) -> None:
    assert (rules.TO_LOCALHOST in refusal(url)) == (rule in LOCAL_RULES)


def test_the_way_to_localhost_names_a_url_that_is_accepted() -> None:
    assert "https://hooks.partner.example/" in rules.TO_LOCALHOST
    assert check_url("https://hooks.partner.example/").host == "hooks.partner.example"


def test_the_message_shows_the_start_of_the_url_and_hides_what_cannot_be_printed() -> None:
    assert "'http://a.example/x'" in refusal("http://a.example/x")
    assert "'http://a.example/\\n\\x00\\xfc\\ud800'" in refusal("http://a.example/\n\x00\u00fc\ud800")
    message = refusal("http://a.example/" + "x" * 1_000_000)
    assert len(message) < 600
    assert "xxx..." in message


@pytest.mark.parametrize("spelling", SECRETS)
def test_no_message_shows_a_user_name_or_password(spelling: str) -> None:
    message = refusal(spelling.format("sesame", "hunter2"))
    assert "sesame" not in message
    assert "hunter2" not in message
    assert "example.com" in message or "localhost/" in message


LDH = st.text("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-", min_size=1, max_size=20)
URLISH = st.lists(
    st.sampled_from([*"aZ0x7.:/?#@[]%\\ \t\u00fc\uff11_-", "https://", "127", "localhost", "com"]), max_size=12
)


@given(st.text() | URLISH.map("".join) | URLISH.map(lambda parts: "https://" + "".join(parts)))
def test_any_text_is_either_refused_or_means_to_everybody_what_it_means_here(url: str) -> None:
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
def test_a_host_is_accepted_when_its_labels_are(labels: list[str]) -> None:
    host = ".".join(labels)
    named = labels[-1]
    good = (
        len(labels) >= 2
        and all(label[0] != "-" != label[-1] for label in labels)
        and not named[0].isdigit()
        and named.lower() not in rules.SPECIAL_USE_NAMES
    )
    if good:
        assert check_url(f"https://{host}/hook").host == host.lower()
    else:
        refusal(f"https://{host}/hook")


WRITTEN_NUMBER = (str, hex, "0{:o}".format, "0X{:X}".format, "{:012d}".format)


@given(st.ip_addresses(v=4), st.integers(1, 4), st.lists(st.sampled_from(WRITTEN_NUMBER), min_size=4, max_size=4))
def test_an_ipv4_address_is_refused_in_every_spelling(
    address: IPv4Address, parts: int, written: list[type[str]]
) -> None:
    octets = list(address.packed)
    last = int.from_bytes(octets[parts - 1 :], "big")
    numbers = [*octets[: parts - 1], last]
    host = ".".join(write(number) for write, number in zip(written, numbers, strict=False))
    assert rules.IP_LITERAL.text in refusal(f"https://{host}/")


@given(st.ip_addresses(v=6), st.sampled_from(["{}", "[{}]", "[{}]:443", "[{}%25eth0]"]))
def test_an_ipv6_address_is_refused_in_every_spelling(address: IPv6Address, spelling: str) -> None:
    for text in (address.compressed, address.exploded, address.exploded.upper()):
        assert rules.IP_LITERAL.text in refusal(f"https://{spelling.format(text)}/")
