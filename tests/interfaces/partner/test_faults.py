"""What may be made to go wrong with a partner's call, by the table of the world or by a header of the call (G16)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from giftsim.gateway.in_process_client import Answer
from giftsim.worlds import system_clock
from tests.claims import claims
from tests.harness import HOOKS, Face, World, order_body, people
from tests.interfaces.partner.till import ROW_CENTS, balances, made, orders, payments, refused, wallet_cents

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
        world.fault(effect, when={"first": 1})
        return {}

    def by_header(effect: Mapping[str, Any]) -> dict[str, str]:
        ((name, value),) = effect.items()
        return {"X_Sim_Fault": name if value is True else f"{name}={value}"}

    return by_table if request.param == "table" else by_header


@pytest.mark.parametrize("code", CODES)
def test_a_charge_can_be_made_to_fail_with_every_documented_code(
    world: World, partner: Face, strike: Strike, code: str
) -> None:
    headers = strike({"charge": code})
    assert partner.get("/team-orders").status == 200
    answer = partner.post("/team-orders", order_body(), **headers)
    assert refused(answer) == (402, code)
    assert partner.read(answer.json()["team_order_id"])["team_order"]["status"] == "unpaid"
    assert (wallet_cents(world), payments(world)[0]["code"]) == (500_000, code)
    assert made(partner.order())["team_order"]["id"] == answer.json()["team_order_id"]


@pytest.mark.parametrize("code", ["insufficient_funds_no_card", "card_charge_failed"])
def test_a_settlement_can_be_made_to_fail(world: World, strike: Strike, code: str) -> None:
    terms = world.partner("partner.net_terms")
    made(terms.order())
    headers = strike({"charge": code})
    assert refused(terms.post("/billing/settle", {}, **headers)) == (402, code)
    assert terms.post("/billing/settle", {}).json()["settled_cents"] == ROW_CENTS


@claims("P-7.27")
def test_while_the_memory_of_keys_is_down_nothing_is_created_and_the_key_works_afterwards(
    world: World, partner: Face, strike: Strike
) -> None:
    headers = strike({"status": 503})
    with world.unchanged():
        answer = partner.post("/team-orders", order_body(), **headers)
    assert refused(answer) == (503, "idempotency_unavailable")
    assert answer.headers["retry-after"] == "5"
    made(partner.order())
    assert (len(orders(world)), len(payments(world))) == (1, 1)


@claims("P-7.27")
def test_a_key_that_was_used_before_is_not_replayed_while_the_memory_is_down(world: World, partner: Face) -> None:
    first = partner.order()
    fault = world.fault({"status": 503, "code": "idempotency_unavailable"}, match={"operation": "createTeamOrder"})
    assert refused(partner.order()) == (503, "idempotency_unavailable")
    assert refused(partner.order(name="other")) == (503, "idempotency_unavailable")
    assert partner.read(first)["team_order"]["status"] == "collecting_addresses"
    world.ask("DELETE", f"/faults/{fault}")
    assert partner.order().body == first.body


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
    world: World, partner: Face, strike: Strike, status: int, code: str
) -> None:
    headers = strike({"status": status})
    with world.unchanged():
        assert refused(partner.post("/team-orders", order_body(), **headers)) == (status, code)
    made(partner.order())


@claims("P-7.16")
@pytest.mark.parametrize("status", [200, 201, 204, 302, 402, 410, 418, 422, 502])
def test_a_status_whose_answer_would_not_be_the_documented_one_is_refused(
    world: World, partner: Face, strike: Strike, status: int
) -> None:
    headers = strike({"status": status})
    with world.unchanged():
        answer = partner.post("/team-orders", order_body(), **headers)
    assert refused(answer) == (400, "invalid_fault")
    assert "undocumented" in answer.json()["error"]["message"]


def test_an_undocumented_status_is_given_where_it_was_asked_for(world: World, partner: Face) -> None:
    world.fault({"status": 418, "code": "teapot", "retry_after": 9, "undocumented": True})
    answer = world.client.call("GET", "/api/external/webhooks", headers=partner.headers)
    assert (answer.status, answer.json()["error"]["code"], answer.headers["retry-after"]) == (418, "teapot", "9")


def test_a_connection_dropped_before_the_work_leaves_nothing(world: World, partner: Face, strike: Strike) -> None:
    headers = strike({"drop": "before"})
    with world.unchanged(), pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(), **headers)
    made(partner.order())


@claims("P-4.17")
def test_a_connection_dropped_after_the_work_leaves_it_for_the_retry_to_find(
    world: World, partner: Face, strike: Strike
) -> None:
    headers = strike({"drop": "after"})
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(recipients=people(2)), **headers)
    assert wallet_cents(world) == 500_000 - 2 * ROW_CENTS
    with world.unchanged():
        again = partner.order(recipients=people(2))
    assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")
    assert (len(orders(world)), len(payments(world)), len(world.mail())) == (1, 1, 2)
    assert balances(world)["order 1001"] == 2 * ROW_CENTS


def test_an_answer_can_be_late_while_the_world_goes_on(
    world: World, partner: Face, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans: list[float] = []
    asleep, over = threading.Event(), threading.Event()

    def nap(span_s: float) -> None:
        spans.append(span_s)
        asleep.set()
        over.wait(10)

    monkeypatch.setattr(system_clock, "sleep", nap)
    headers, answers = strike({"delay_s": 7}), list[Answer]()
    caller = threading.Thread(target=lambda: answers.append(partner.post("/team-orders", order_body(), **headers)))
    caller.start()
    assert asleep.wait(10)
    assert (spans, answers) == ([7], [])
    with world.unchanged():
        assert partner.order().headers["idempotent-replayed"] == "true"
    over.set()
    caller.join(10)
    made(answers[0])


def test_the_signing_key_can_be_missing_for_one_call(world: World, partner: Face, strike: Strike) -> None:
    partner.subscribe("team_order.claimed")
    body = {"url": f"https://{HOOKS}/more", "events": ["team_order.shipped"]}
    for path, sent in (("/webhooks", body), ("/webhooks/1/test", None)):
        headers = strike({"signing_key": "missing"})
        assert partner.get("/webhooks").status == 200
        assert refused(partner.post(path, sent, **headers)) == (503, "webhooks_unavailable")
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
def test_a_header_that_could_do_nothing_is_refused_and_so_is_the_call(world: World, partner: Face, header: str) -> None:
    with world.unchanged():
        assert refused(partner.post("/team-orders", order_body(), X_Sim_Fault=header)) == (400, "invalid_fault")


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
def test_a_fault_strikes_when_it_is_told_to(world: World, partner: Face, when: dict[str, Any], hits: str) -> None:
    fault = world.fault({"status": 503}, when=when, match={"operation": "listTeamOrders"})
    seen = ""
    for _ in hits:
        assert partner.get("/webhooks").status == 200
        seen += "x" if partner.get("/team-orders").status == 503 else "."
        world.advance("1h")
    assert seen == hits
    (row,) = [row for row in world.ask("GET", "/faults")["faults"] if row["id"] == fault]
    assert (row["calls"], row["hits"]) == (len(hits), hits.count("x"))


def test_chance_comes_from_the_seed_and_is_about_as_often_as_told(new_world: Make) -> None:
    def drawn(seed: int) -> str:
        world = new_world(seed=seed)
        world.fault({"status": 503}, id="flaky", when={"probability": 0.3})
        partner = world.partner()
        return "".join("x" if partner.get("/webhooks").status == 503 else "." for _ in range(200))

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert 35 <= drawn(1).count("x") <= 85


def test_a_fault_strikes_whom_it_means_and_the_oldest_wins(world: World, partner: Face) -> None:
    world.fault({"status": 429}, match={"credential": "partner.net_terms"})
    world.fault({"status": 503}, match={"interface": "partner", "operation": "listWebhooks"})
    world.fault({"status": 500})
    terms = world.partner("partner.net_terms")
    assert [face.get("/webhooks").status for face in (terms, partner)] == [429, 503]
    assert [face.get("/team-orders").status for face in (terms, partner)] == [429, 500]
    assert partner.get("/team-orders", X_Sim_Fault="status=503").status == 503
    assert [row["hits"] for row in world.ask("GET", "/faults")["faults"]] == [2, 1, 1]


def test_the_journal_names_the_fault_of_every_call_it_changed(world: World, partner: Face) -> None:
    world.fault({"status": 503}, id="busy", when={"calls": [2]})
    for headers in ({}, {}, {"X_Sim_Fault": "status=500"}):
        partner.get("/team-orders", **headers)
    with pytest.raises(ConnectionError):
        partner.get("/team-orders", X_Sim_Fault="drop=after")
    calls = world.ask("GET", "/journal")["calls"]
    assert [call["fault"] for call in calls] == [None, "busy", "status=500", "drop=after"]
    assert [call["response"] and call["response"]["status"] for call in calls] == [200, 503, 500, None]
