"""Magic amounts: the bank pays deposit invoices of these amounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.services.gifting.magic.deposit_amounts import AMOUNTS, DepositAmount
from giftsim.services.gifting.magic.files import REMOTE, UNRENDERABLE
from giftsim.services.gifting.magic.receiver_hosts import HOSTS
from giftsim.services.gifting.magic.value_format import HOST
from tests.support.api_clients import PartnerClient
from tests.support.responses import expect_status, invalid_fields
from tests.support.team import webhooks as team_webhooks
from tests.support.team.artwork import create_artwork, mug_preview_body
from tests.support.team.campaigns import raise_price
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.team.payments import key_with_limits, net_terms_order_body, unit_cents
from tests.support.worlds import World


def test_a_preview_of_artwork_with_the_magic_name_fails(world: World) -> None:
    team = TeamClients(world)
    previews: list[Any] = [
        team.live.post_json("/artwork/previews", mug_preview_body(create_artwork(team.live, name=name)["id"]), 202)
        for name in (UNRENDERABLE, "Logo")
    ]
    world.advance("5s")
    assert [team.live.get_json(f"/previews/{preview['id']}")["status"] for preview in previews] == ["failed", "ready"]


def test_the_magic_urls_are_refused_unless_their_files_are_simulated(world: World) -> None:
    team = TeamClients(world)
    assert invalid_fields(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"})) == ["url"]
    assert invalid_fields(team.live.post("/tax-certificates", {"url": REMOTE[1].url})) == ["url"]
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url.replace("no-image", "image"), "name": "x"}), 201)
    world.simulate("file", url=REMOTE[0].url, content_type="image/png", bytes=5)
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"}), 201)


def test_files_and_artwork_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    team = TeamClients(world)
    artwork_id = create_artwork(team.live, name=UNRENDERABLE)["id"]
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"}), 201)
    expect_status(team.live.post("/tax-certificates", {"url": REMOTE[1].url}), 201)
    preview = team.live.post_json("/artwork/previews", mug_preview_body(artwork_id), 202)
    world.advance("1h")
    assert team.live.get_json(f"/previews/{preview['id']}")["status"] == "ready"


@pytest.mark.parametrize("row", AMOUNTS)
def test_the_bank_pays_a_deposit_invoice_of_a_magic_amount(world: World, row: DepositAmount) -> None:
    team = TeamClients(world)
    invoice_ids = [
        team.live.post_json("/deposit-invoices", {"amount_cents": cents})["id"] for cents in (row.cents, row.cents + 5)
    ]
    subjects = [
        timer["subject"] for timer in world.call_control("GET", "/timers")["timers"] if timer["kind"] == "magic.invoice"
    ]
    assert subjects == [f"invoice {invoice_ids[0]}"]
    world.advance(f"{row.after_ms // 1000}s")
    statuses = {invoice["id"]: invoice["status"] for invoice in team.live.list_all("/invoices")}
    assert [statuses[invoice_id] for invoice_id in invoice_ids] == ["paid", "open"]


def test_an_invoice_paid_before_its_timer_is_paid_once(world: World) -> None:
    team = TeamClients(world)
    before = team.live.get_json("/billing/balance")["balance_cents"]
    invoice_id = team.live.post_json("/deposit-invoices", {"amount_cents": AMOUNTS[1].cents})["id"]
    world.simulate("invoice", invoice_id=invoice_id, outcome="paid")
    world.advance("2d")
    assert team.live.get_json("/billing/balance")["balance_cents"] == before + AMOUNTS[1].cents


def test_an_invoice_on_terms_of_a_magic_amount_is_paid_by_nobody(world: World) -> None:
    team, row = TeamClients(world), AMOUNTS[0]
    world.simulate("team", credit={"credit_limit_cents": 2 * row.cents})
    raise_price(world, team.live, row.cents - unit_cents(team))
    key_with_limits(team, row.cents, row.cents).post_json("/team-orders", net_terms_order_body())
    world.advance("2d")
    invoices = [(invoice["amount_cents"], invoice["status"]) for invoice in team.live.list_all("/invoices")]
    assert invoices == [(row.cents, "open")]


def test_amounts_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    team = TeamClients(world)
    team.live.post_json("/deposit-invoices", {"amount_cents": AMOUNTS[0].cents})
    world.advance("1h")
    assert [invoice["status"] for invoice in team.live.list_all("/invoices")] == ["open"]


def outcomes(world: World, host: str, span: str = "30h") -> list[tuple[str, int | None]]:
    """Outcome and status of the attempts to send an event about a claim to the host, within a span."""
    world.partner().subscribe("team_order.claimed", host=host)
    world.partner().create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance(span)
    return [(row["outcome"], row["status"]) for row in world.deliveries()]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("status-503", [("http_status", 503)] * 7),
        ("status-410", [("http_status", 410)] * 7),
        ("status-204", [("delivered", 204)]),
        ("timeout", [("timeout", None)] * 7),
        ("reset", [("connection_reset", None)] * 7),
        ("refuse", [("connection_refused", None)] * 7),
        ("fails-2", [*[("http_status", 503)] * 2, ("delivered", 200)]),
        ("shop-7.fails-1", [("http_status", 503), ("delivered", 200)]),
        ("down-1d", [*[("http_status", 503)] * 7, ("delivered", 200)]),
    ],
)
def test_a_magic_host_answers_as_its_label_says(world: World, label: str, expected: Any) -> None:
    assert outcomes(world, label + HOST, "100h" if label == "down-1d" else "30h") == expected


@pytest.mark.parametrize("label", ["status-999", "status-1", "fails-0", "fails-101", "down-soon", "timeouts", "www"])
def test_a_host_with_an_unknown_label_is_ordinary(world: World, label: str) -> None:
    assert outcomes(world, label + HOST) == [("delivered", 200)]
    assert world.call_control("GET", "/receivers")["receivers"] == []


def test_an_existing_receiver_takes_precedence(world: World) -> None:
    world.set_receiver("timeout" + HOST, then={"status": 200})
    assert outcomes(world, "timeout" + HOST) == [("delivered", 200)]


def test_hosts_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    assert outcomes(world, "timeout" + HOST) == [("delivered", 200)]


def test_a_magic_host_works_for_a_webhook_of_a_team(world: World) -> None:
    team = TeamClients(world)
    team_webhooks.subscribe(team.live, "approval.requested", host="fails-1" + HOST)
    create_gift(team.live)
    world.advance("1h")
    assert [row["status"] for row in world.deliveries()] == [503, 200]


def test_two_webhooks_share_one_receiver(world: World, partner: PartnerClient) -> None:
    for kind in ("team_order.claimed", "team_order.shipped"):
        partner.subscribe(kind, host="fails-3" + HOST)
    (row,) = world.call_control("GET", "/receivers")["receivers"]
    assert (row["host"], len(row["script"])) == ("fails-3" + HOST, 3)


def test_every_host_in_the_table_has_a_working_example(world: World, partner: PartnerClient) -> None:
    for row in HOSTS:
        partner.subscribe("team_order.claimed", host=row.example + HOST)
    assert [entry["host"] for entry in world.call_control("GET", "/receivers")["receivers"]] == [
        row.example + HOST for row in HOSTS
    ]
