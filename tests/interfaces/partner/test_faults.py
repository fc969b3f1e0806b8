"""What may be made to go wrong with a partner's call, by the table of the world or by a header of the call (G16)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.worlds import system_clock
from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.orders import email_recipients, order_body
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import ledger_balances, payments, wallet_cents
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

Make = Callable[..., World]
Strike = Callable[[Mapping[str, Any]], dict[str, str]]

CODES = (
    "insufficient_funds", "insufficient_funds_no_card", "credit_limit_exceeded", "daily_spend_limit_exceeded",
    "card_charge_failed",
)  # fmt: skip


@pytest.fixture(params=["table", "header"])
def strike(request: pytest.FixtureRequest, world: World) -> Strike:
    """Lets an effect strike the next call alone, by an entry of the table or by the headers that it gives back."""

    def by_table(effect: Mapping[str, Any]) -> dict[str, str]:
        world.add_fault(effect, when={"first": 1})
        return {}

    def by_header(effect: Mapping[str, Any]) -> dict[str, str]:
        ((name, value),) = effect.items()
        return {"X_Sim_Fault": name if value is True else f"{name}={value}"}

    return by_table if request.param == "table" else by_header


@pytest.mark.parametrize("code", CODES)
def test_a_charge_can_be_made_to_fail_with_every_documented_code(
    world: World, partner: PartnerClient, strike: Strike, code: str
) -> None:
    headers = strike({"charge": code})
    assert partner.get("/team-orders").status == 200
    answer = partner.post("/team-orders", order_body(), **headers)
    assert status_and_code(answer) == (402, code)
    assert partner.read_order(answer.json()["team_order_id"])["team_order"]["status"] == "unpaid"
    assert (wallet_cents(world), payments(world)[0]["code"]) == (500_000, code)
    assert created(partner.create_order())["team_order"]["id"] == answer.json()["team_order_id"]


@pytest.mark.parametrize("code", ["insufficient_funds_no_card", "card_charge_failed"])
def test_a_settlement_can_be_made_to_fail(world: World, strike: Strike, code: str) -> None:
    terms = world.partner("partner.net_terms")
    created(terms.create_order())
    headers = strike({"charge": code})
    assert status_and_code(terms.post("/billing/settle", {}, **headers)) == (402, code)
    assert terms.post("/billing/settle", {}).json()["settled_cents"] == ROW_CENTS


@shows("P-7.27")
def test_while_the_memory_of_keys_is_down_nothing_is_created_and_the_key_works_afterwards(
    world: World, partner: PartnerClient, strike: Strike
) -> None:
    headers = strike({"status": 503})
    with world.assert_unchanged():
        answer = partner.post("/team-orders", order_body(), **headers)
    assert status_and_code(answer) == (503, "idempotency_unavailable")
    assert answer.headers["retry-after"] == "5"
    created(partner.create_order())
    assert (len(list_orders(world)), len(payments(world))) == (1, 1)


@shows("P-7.27")
def test_a_key_that_was_used_before_is_not_replayed_while_the_memory_is_down(
    world: World, partner: PartnerClient
) -> None:
    first = partner.create_order()
    fault = world.add_fault({"status": 503, "code": "idempotency_unavailable"}, match={"operation": "createTeamOrder"})
    assert status_and_code(partner.create_order()) == (503, "idempotency_unavailable")
    assert status_and_code(partner.create_order(name="other")) == (503, "idempotency_unavailable")
    assert partner.read_order(first)["team_order"]["status"] == "collecting_addresses"
    world.call_control("DELETE", f"/faults/{fault}")
    assert partner.create_order().body == first.body


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "invalid_body"),
        (401, "unauthorized"),
        (403, "forbidden_no_account"),
        (404, "sku_not_found"),
        (409, "idempotency_payload_mismatch"),
        (429, "rate_limited"),
        (500, "internal_error"),
        (503, "idempotency_unavailable"),
    ],
)
def test_any_documented_refusal_can_stand_for_the_work(
    world: World, partner: PartnerClient, strike: Strike, status: int, code: str
) -> None:
    headers = strike({"status": status})
    with world.assert_unchanged():
        assert status_and_code(partner.post("/team-orders", order_body(), **headers)) == (status, code)
    created(partner.create_order())


@shows("P-7.16")
@pytest.mark.parametrize("status", [200, 201, 204, 302, 402, 410, 418, 422, 502])
def test_a_status_whose_answer_would_not_be_the_documented_one_is_refused(
    world: World, partner: PartnerClient, status: int
) -> None:
    match = {"interface": "partner", "operation": "createTeamOrder"}
    with world.assert_unchanged():
        by_table = world.control.post(f"/worlds/{world.id}/faults", {"effect": {"status": status}, "match": match})
        by_header = partner.post("/team-orders", order_body(), X_Sim_Fault=f"status={status}")
    for answer in (by_table, by_header):
        assert status_and_code(answer) == (400, "invalid_fault")
        assert "undocumented" in answer.json()["error"]["message"]


def test_an_undocumented_status_is_given_where_it_was_asked_for(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 418, "code": "teapot", "retry_after": 9, "undocumented": True})
    answer = world.client.call("GET", "/api/external/webhooks", headers=partner.headers)
    assert (answer.status, answer.json()["error"]["code"], answer.headers["retry-after"]) == (418, "teapot", "9")


def test_a_connection_dropped_before_the_work_leaves_nothing(
    world: World, partner: PartnerClient, strike: Strike
) -> None:
    headers = strike({"drop": "before"})
    with world.assert_unchanged(), pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(), **headers)
    created(partner.create_order())


@shows("P-4.17")
def test_a_connection_dropped_after_the_work_leaves_it_for_the_retry_to_find(
    world: World, partner: PartnerClient, strike: Strike
) -> None:
    headers = strike({"drop": "after"})
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(recipients=email_recipients(2)), **headers)
    assert wallet_cents(world) == 500_000 - 2 * ROW_CENTS
    with world.assert_unchanged():
        again = partner.create_order(recipients=email_recipients(2))
    assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")
    assert (len(list_orders(world)), len(payments(world)), len(world.mail())) == (1, 1, 2)
    assert ledger_balances(world)["order 1001"] == 2 * ROW_CENTS


def test_an_answer_can_be_late_while_the_world_goes_on(
    world: World, partner: PartnerClient, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans: list[float] = []
    asleep, over = threading.Event(), threading.Event()

    def nap(span_s: float, *_: object) -> None:
        spans.append(span_s)
        asleep.set()
        over.wait(10)

    monkeypatch.setattr(system_clock, "sleep", nap)
    headers, answers = strike({"delay_s": 7}), list[Response]()
    caller = threading.Thread(target=lambda: answers.append(partner.post("/team-orders", order_body(), **headers)))
    caller.start()
    assert asleep.wait(10)
    assert (spans, answers) == ([7], [])
    with world.assert_unchanged():
        assert partner.create_order().headers["idempotent-replayed"] == "true"
    over.set()
    caller.join(10)
    created(answers[0])


def test_the_signing_key_can_be_missing_for_one_call(world: World, partner: PartnerClient, strike: Strike) -> None:
    partner.subscribe("team_order.claimed")
    body = {"url": f"https://{WEBHOOK_HOST}/more", "events": ["team_order.shipped"]}
    for path, sent in (("/webhooks", body), ("/webhooks/1/test", None)):
        headers = strike({"signing_key": "missing"})
        assert partner.get("/webhooks").status == 200
        assert status_and_code(partner.post(path, sent, **headers)) == (503, "webhooks_unavailable")
    assert partner.post("/webhooks/1/test").json()["ok"] is True
    assert partner.post("/webhooks", body).status == 201


@pytest.mark.parametrize(
    "header",
    ["charge=no_such_code", "charge", "crash", "crash=before", "drop=sometimes", "drop", "hold=1", "delay_s=121",
     "delay_s=-1", "delay_s=soon", "status=abc", "status=99", "status=600", "signing_key=present", "webhook=twice",
     "signing_key=missing", "nonsense", "", "=", "hold;drop=after", "drop=after; code=x",
     "status=429; retry_after=soon", "status=418; undocumented=no", "status=429; status=429",
     "delay_s=3..1", "delay_s=1..", "delay_s=1..121"],
)  # fmt: skip
def test_a_header_that_could_do_nothing_is_refused_and_so_is_the_call(
    world: World, partner: PartnerClient, header: str
) -> None:
    with world.assert_unchanged():
        assert status_and_code(partner.post("/team-orders", order_body(), X_Sim_Fault=header)) == (400, "invalid_fault")


@pytest.mark.parametrize(
    ("when", "hits"),
    [
        ({}, "xxxxxx"),
        ({"first": 2}, "xx...."),
        ({"calls": [2, 5]}, ".x..x."),
        ({"every": 3}, "..x..x"),
        ({"first": 4, "every": 2}, ".x.x.."),
        ({"calls": [1, 2, 3], "every": 3}, "..x..."),
        ({"probability": 0}, "......"),
        ({"probability": 1}, "xxxxxx"),
        ({"from": "+2h"}, "..xxxx"),
        ({"to": "+2h"}, "xx...."),
        ({"from": "+1h", "to": "+3h"}, ".xx..."),
        ({"from": "+3h", "every": 2}, "...x.x"),
    ],
)
def test_a_fault_strikes_when_it_is_told_to(
    world: World, partner: PartnerClient, when: dict[str, Any], hits: str
) -> None:
    fault = world.add_fault({"status": 503}, when=when, match={"operation": "listTeamOrders"})
    seen = ""
    for _ in hits:
        assert partner.get("/webhooks").status == 200
        seen += "x" if partner.get("/team-orders").status == 503 else "."
        world.advance("1h")
    assert seen == hits
    (row,) = [row for row in world.call_control("GET", "/faults")["faults"] if row["id"] == fault]
    assert (row["calls"], row["hits"]) == (len(hits), hits.count("x"))


def test_chance_comes_from_the_seed_and_is_about_as_often_as_told(new_world: Make) -> None:
    def drawn(seed: int) -> str:
        world = new_world(seed=seed)
        world.add_fault({"status": 503}, id="flaky", when={"probability": 0.3})
        partner = world.partner()
        return "".join("x" if partner.get("/webhooks").status == 503 else "." for _ in range(200))

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert 35 <= drawn(1).count("x") <= 85


def test_a_fault_strikes_whom_it_means_and_the_oldest_wins(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 429}, match={"credential": "partner.net_terms"})
    world.add_fault({"status": 503}, match={"interface": "partner", "operation": "listWebhooks"})
    world.add_fault({"status": 500})
    terms = world.partner("partner.net_terms")
    assert [face.get("/webhooks").status for face in (terms, partner)] == [429, 503]
    assert [face.get("/team-orders").status for face in (terms, partner)] == [429, 500]
    assert partner.get("/team-orders", X_Sim_Fault="status=503").status == 503
    assert [row["hits"] for row in world.call_control("GET", "/faults")["faults"]] == [2, 1, 1]


def test_the_journal_names_the_fault_of_every_call_it_changed(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 503}, id="busy", when={"calls": [2]})
    for headers in ({}, {}, {"X_Sim_Fault": "status=500"}):
        partner.get("/team-orders", **headers)
    with pytest.raises(ConnectionError):
        partner.get("/team-orders", X_Sim_Fault="drop=after")
    calls = world.call_control("GET", "/calls")["calls"]
    assert [call["fault"] for call in calls] == [None, "busy", "status=500", "drop=after"]
    assert [call["response"] and call["response"]["status"] for call in calls] == [200, 503, 500, None]
