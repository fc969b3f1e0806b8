"""What an endpoint may be: its URL, its host's addresses and its events (P-6.21 to P-6.24, P-7.8, P-7.9, B48, G27)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.partner.webhooks import EVENT_TYPES, endpoint_rows, received_webhooks
from tests.support.urls import BROKEN_URLS
from tests.support.worlds import World

GOOD = f"https://{WEBHOOK_HOST}/gifts"


def create(partner: PartnerClient, url: Any = GOOD, events: Any = ("team_order.shipped",)) -> Response:
    return partner.post("/webhooks", {"url": url, "events": list(events) if isinstance(events, tuple) else events})


def refused(partner: PartnerClient, answer: Response, code: str) -> str:
    """The message of a refusal with that code, which left no endpoint behind."""
    assert (answer.status, answer.json()["error"]["code"]) == (400, code), answer.text
    assert endpoint_rows(partner) == []
    return str(answer.json()["error"]["message"])


@shows("P-6.21", "P-7.8")
@pytest.mark.parametrize(
    "url",
    [
        f"http://{WEBHOOK_HOST}/",
        f"ftp://{WEBHOOK_HOST}/",
        f"wss://{WEBHOOK_HOST}/",
        f"//{WEBHOOK_HOST}/",
        WEBHOOK_HOST,
        f"https:/{WEBHOOK_HOST}/",
        "https:///x",
    ],
)
def test_a_url_that_is_not_https_is_refused(partner: PartnerClient, url: str) -> None:
    assert "it must" in refused(partner, create(partner, url), "invalid_url")


@shows("P-6.22", "P-7.8")
@pytest.mark.parametrize(
    "host",
    [
        "93.184.216.34",
        "[2606:4700::1]",
        "2130706433",
        "127.1",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.0.0.1",
        "[::1]",
        "[::ffff:93.184.216.34]",
        "[::1%25lo]",
        "1.1.1.1.",
        "\uff11\uff12\uff17.0.0.1",
    ],
)
def test_an_ip_address_in_any_spelling_is_not_a_host(partner: PartnerClient, host: str) -> None:
    refused(partner, create(partner, f"https://{host}/"), "invalid_url")


@shows("P-6.23", "P-7.8")
@pytest.mark.parametrize("userinfo", ["user:horse", "user", ":horse", "", "user%40a:horse", "horse@b"])
def test_credentials_in_a_url_are_refused_and_not_repeated(partner: PartnerClient, userinfo: str) -> None:
    message = refused(partner, create(partner, f"https://{userinfo}@{WEBHOOK_HOST}/"), "invalid_url")
    assert "horse" not in message


@shows("P-6.24", "P-7.8")
@pytest.mark.parametrize(
    "host", ["localhost", "app.localhost", "intranet", "printer.local", "vault.internal", "hooks.test", "x.onion"]
)
def test_a_name_that_is_not_public_is_refused_and_the_way_to_localhost_told(partner: PartnerClient, host: str) -> None:
    message = refused(partner, create(partner, f"https://{host}/"), "invalid_url")
    assert "receiver table" in message
    assert "http://127.0.0.1:9000" in message


@shows("P-6.24")
@pytest.mark.parametrize(
    "addresses",
    [
        ["10.0.0.5"],
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["192.168.1.1"],
        ["172.16.0.1"],
        ["100.64.0.1"],
        ["::1"],
        ["fe80::1"],
        ["fd00::5"],
        ["::ffff:10.0.0.5"],
        ["93.184.215.14", "10.0.0.5"],
        [],
    ],
)
def test_a_host_must_resolve_to_public_addresses_alone(
    world: World, partner: PartnerClient, addresses: list[str]
) -> None:
    world.set_receiver(addresses=addresses)
    refused(partner, create(partner), "invalid_url")
    world.set_receiver(addresses=["93.184.215.14", "2606:2800:220:1::1"])
    assert create(partner).status == 201


@shows("P-7.8")
@pytest.mark.parametrize("addresses", [["10.0.0.5"], []])
@pytest.mark.parametrize("events", [[], ["no.such"], None, "team_order.shipped"])
def test_a_forbidden_address_is_told_before_wrong_events(
    world: World, partner: PartnerClient, addresses: list[str], events: Any
) -> None:
    world.set_receiver(addresses=addresses)
    assert WEBHOOK_HOST in refused(partner, create(partner, events=events), "invalid_url")
    world.set_receiver()
    refused(partner, create(partner, events=events), "invalid_events")


def test_a_member_that_strict_bodies_refuse_is_told_before_a_forbidden_address(
    world: World, partner: PartnerClient
) -> None:
    world.change_settings(strict_bodies=True)
    world.set_receiver(addresses=["10.0.0.5"])
    response = partner.post("/webhooks", {"url": GOOD, "events": [], "kinds": []})
    assert "kinds" in refused(partner, response, "invalid_body")


@shows("P-7.8")
@pytest.mark.parametrize(("url", "rule", "is_local"), BROKEN_URLS)
def test_a_refusal_names_the_rule_and_where_it_helps_the_way_to_localhost(
    partner: PartnerClient, url: str, rule: str, is_local: bool
) -> None:
    message = refused(partner, create(partner, url), "invalid_url")
    assert rule in message
    assert ("/receivers/" in message) is is_local


@shows("P-7.8")
@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        7,
        ["https://hooks.partner.example/"],
        {"href": GOOD},
        "not a url",
        "https://",
        f"{GOOD} ",
        f"{GOOD}#part",
        f"https://{WEBHOOK_HOST}:8443/",
        f"https://{WEBHOOK_HOST}:0443/",
        f"https://{WEBHOOK_HOST}./",
        f"https://-{WEBHOOK_HOST}/",
        "https://b\u00fccher.example/",
        f"https:\\\\{WEBHOOK_HOST}\\",
        f"https://{WEBHOOK_HOST}/{'a' * 2048}",
    ],
)
def test_an_unacceptable_url_makes_no_endpoint(partner: PartnerClient, url: Any) -> None:
    refused(partner, create(partner, url), "invalid_url")


@shows("P-7.8")
def test_a_missing_url_makes_no_endpoint(partner: PartnerClient) -> None:
    refused(partner, partner.post("/webhooks", {"events": ["team_order.shipped"]}), "invalid_url")
    refused(partner, partner.post("/webhooks", {}), "invalid_url")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        f"HTTPS://{WEBHOOK_HOST.upper()}/Gifts",
        f"https://{WEBHOOK_HOST}:443/",
        f"https://{WEBHOOK_HOST}?token=a@b",
        "https://xn--bcher-kva.example/%C3%BC//..",
        f"https://a.b/{'a' * 2036}",
    ],
)
def test_an_acceptable_url_is_kept_letter_by_letter(partner: PartnerClient, url: str) -> None:
    answer = create(partner, url)
    assert answer.status == 201, answer.text
    assert [row["url"] for row in endpoint_rows(partner)] == [url]


def test_the_world_may_allow_other_ports(world: World, partner: PartnerClient) -> None:
    world.change_settings(webhooks__url_ports=[443, 8443])
    assert create(partner, f"https://{WEBHOOK_HOST}:8443/gifts").status == 201
    assert create(partner, f"https://{WEBHOOK_HOST}:8444/gifts").status == 400
    assert partner.post("/webhooks/1/test").json()["ok"] is True
    assert received_webhooks(world)[0].headers["Host"] == f"{WEBHOOK_HOST}:8443"


@shows("P-7.9")
@pytest.mark.parametrize(
    "events",
    [
        [],
        None,
        "x",
        "team_order.shipped",
        7,
        {"team_order.shipped": True},
        ["team_order.lost"],
        ["team_order.shipped", "team_order.lost"],
        ["ping"],
        ["*"],
        ["Team_Order.Shipped"],
        [7],
        [None],
        [["team_order.shipped"]],
    ],
)
def test_a_bad_list_of_events_makes_no_endpoint(partner: PartnerClient, events: Any) -> None:
    refused(partner, create(partner, events=events), "invalid_events")


@shows("P-7.9")
def test_a_missing_list_of_events_makes_no_endpoint_and_an_unknown_kind_is_named(partner: PartnerClient) -> None:
    refused(partner, partner.post("/webhooks", {"url": GOOD}), "invalid_events")
    message = refused(partner, create(partner, events=["order.shipped", "team_order.lost"]), "invalid_events")
    assert "events[1]" in message
    assert "team_order.lost" in message


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_every_documented_kind_can_be_subscribed_to(partner: PartnerClient, kind: str) -> None:
    assert create(partner, events=[kind]).status == 201


def test_a_bad_url_is_told_before_a_bad_list_of_events(partner: PartnerClient) -> None:
    for url in (None, 7, "http://x", "https://localhost/"):
        refused(partner, create(partner, url, events=[]), "invalid_url")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"null", b"\xff"])
def test_a_body_that_is_not_an_object_makes_no_endpoint(partner: PartnerClient, body: bytes) -> None:
    refused(partner, partner.post("/webhooks", body), "invalid_body")


def test_a_refused_create_takes_no_place_among_the_ten(partner: PartnerClient) -> None:
    for _ in range(12):
        create(partner, "https://localhost/")
        create(partner, events=[])
    assert [create(partner).status for _ in range(11)] == [201] * 10 + [409]


@shows("P-2.38")
@pytest.mark.parametrize(
    "url",
    [
        "HTTPS://Hooks.Partner.EXAMPLE/Gifts", "https://hooks.partner.example",
        "https://hooks.partner.example?b=2&a=%41", "https://hooks.partner.example:443/",
        "https://hooks.partner.example/a/../b//c/%7Eada/",
    ],
)  # fmt: skip
def test_the_url_is_echoed_as_sent_and_the_status_is_that_endpoints(partner: PartnerClient, url: str) -> None:
    first, other = [create(partner, each).json()["endpoint"] for each in (url, GOOD)]
    assert [(each["url"], each["status"]) for each in (first, other)] == [(url, "active"), (GOOD, "active")]
    path = f"/webhooks/{first['id']}"
    read = partner.get(path).json()["endpoint"]
    assert (read["url"], read["status"]) == (url, "active")
    disabled = partner.delete(path).json()["endpoint"]
    assert (disabled["url"], disabled["status"]) == (url, "disabled")
    read = partner.get(path).json()["endpoint"]
    assert (read["url"], read["status"]) == (url, "disabled")
    assert [(row["url"], row["status"]) for row in endpoint_rows(partner)] == [(url, "disabled"), (GOOD, "active")]
