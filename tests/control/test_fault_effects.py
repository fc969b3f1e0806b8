"""Effects of faults, in the table and in the header: options, delays, and which calls are counted."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from giftsim.engine.worlds import system_clock
from tests.support.api_clients import PartnerClient
from tests.support.faults import fault_counts
from tests.support.museum import MuseumClient
from tests.support.orders import order_body
from tests.support.responses import status_and_code
from tests.support.team.clients import TeamClients
from tests.support.worlds import World


@pytest.mark.parametrize(
    ("header", "status", "code", "retry_after"),
    [
        ("status=429; retry_after=7", 429, "rate_limited", "7"),
        ("status=503;code=idempotency_unavailable", 503, "idempotency_unavailable", "5"),
        ("status=418; undocumented; code=teapot; retry_after=0", 418, "teapot", "0"),
        (" status = 418 ; undocumented=true", 418, "status_418", None),
    ],
)
def test_a_header_can_have_the_options_of_a_status(
    world: World, partner: PartnerClient, header: str, status: int, code: str, retry_after: str | None
) -> None:
    response = world.client.call(
        "POST", "/api/external/team-orders", body=order_body(), headers={**partner.headers, "X-Sim-Fault": header}
    )
    assert (*status_and_code(response), response.headers.get("retry-after")) == (status, code, retry_after)


def test_a_delay_can_be_drawn_from_a_range_by_the_seed(
    world: World, partner: PartnerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    delays: list[float] = []
    monkeypatch.setattr(system_clock, "sleep", lambda span_s, *_: delays.append(span_s))
    world.call_control("POST", "/snapshots", {"name": "before"})
    for _ in range(2):
        partner.get("/team-orders", X_Sim_Fault="delay_s=1..3")
        partner.get("/team-orders", X_Sim_Fault="delay_s=0.5..0.5")
        world.add_fault({"delay_s": {"from": 10, "to": 20}})
        partner.get("/team-orders")
        world.call_control("POST", "/snapshots/before/restore")
    assert delays[:3] == delays[3:]
    assert 1 <= delays[0] <= 3
    assert delays[1] == 0.5
    assert 10 <= delays[2] <= 20
    assert delays[0] % 1
    assert delays[2] % 1


CREATE = {"operation": "createTeamOrder", "interface": "partner"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"effect": {"charge": "card_charge_failed"}, "match": {"operation": "listTeamOrders"}}, "partner orders and"),
        ({"effect": {"charge": "card_charge_failed"}, "match": {"interface": "museum"}}, "can do nothing to museum"),
        ({"effect": {"crash": "after_charge"}, "match": {"interface": "museum"}}, "match.interface: crash can do"),
        ({"effect": {"signing_key": "missing"}, "match": {"operation": "listWebhooks"}}, "making and testing webhooks"),
        ({"effect": {"status": 418}, "match": {"operation": "createTeamOrder"}}, "say undocumented: true"),
        ({"effect": {"status": 402}, "match": CREATE}, "the 402 of createTeamOrder has members that"),
        ({"effect": {"status": 402}, "match": CREATE}, "use the effect charge, or say undocumented: true to get it"),
        ({"effect": {"status": 422}, "match": CREATE}, "send what it refuses, or say undocumented: true to get it"),
        (
            {"effect": {"status": 503, "code": "idempotency_unavailble"}, "match": {"operation": "createTeamOrder"}},
            "(undocumented: true allows it); did you mean idempotency_unavailable?",
        ),
        ({"effect": {"status": 404, "code": "zzz"}}, "(undocumented: true allows it); known are"),
        ({"effect": {"status": 418}}, "status: no operation documents 418 as a plain error; say undocumented: true"),
        ({"effect": {"status": 200}}, "status: no operation documents 200 as a plain error; say undocumented: true"),
        (
            {"effect": {"status": 402}, "match": {"interface": "team"}},
            "status: no operation of team documents 402 as a plain error; operations of partner do, or say",
        ),
        (
            {"effect": {"status": 422}, "match": {"interface": "partner"}},
            "status: no operation of partner documents 422 as a plain error; operations of team do, or say",
        ),
        (
            {"effect": {"status": 422}, "match": {"credential": "partner.prepaid"}},
            "status: no operation that partner.prepaid can call documents 422 as a plain error; operations of team do",
        ),
        (
            {"effect": {"status": 418}, "match": {"interface": "museum", "credential": "museum"}},
            "status: no operation of museum that museum can call documents 418 as a plain error; say undocumented",
        ),
        (
            {"effect": {"drop": "after"}, "match": {"operation": "sendGift", "credential": "museum"}},
            "match.credential: museum makes no calls of the interface or operation here",
        ),
        (
            {"effect": {"charge": "card_charge_failed"}, "match": {"credential": "session.owner"}},
            "match.credential: charge can do nothing to session.owner; it acts on partner orders and settlements",
        ),
        ({"effect": {"drop": "after", "code": "x"}}, "code does not go with drop; it goes with status"),
        ({"effect": {"hold": True, "retry_after": 3}}, "retry_after does not go with hold"),
        ({"effect": {"delay_s": {"from": 3, "to": 1}}}, "delay_s takes 0 to 120 real seconds, or {from, to}"),
        ({"effect": {"delay_s": {"from": 3}}}, "delay_s"),
        ({"effect": {"webhook": "duplicate"}, "match": {"interface": "museum"}}, "known are team, partner"),
        ({"effect": {"webhook": "duplicate"}, "match": {"event": "gift.snt"}}, "did you mean gift.sent?"),
        ({"effect": {"charge": "card_declined"}}, "did you mean card_charge_failed?"),
        ({"effect": {"webhook": "duplicate"}, "match": {"operation": "sendGift"}}, "deliveries have no operation"),
        ({"effect": {"hold": True}, "match": {"event": "team_order.shipped"}}, "match.event: hold changes calls"),
        ({"effect": {"hold": True}, "match": {"host": "a.example"}}, "match.host: hold changes calls"),
        ({"effect": {"hold": True}, "match": {"operation": "sendGifts"}}, "did you mean sendGift?"),
    ],
)  # fmt: skip
def test_an_effect_that_could_never_act_is_refused_with_the_reason(world: World, body: Any, message: str) -> None:
    response = world.control.post(f"/worlds/{world.id}/faults", body)
    assert response.status == 400
    assert message in response.json()["error"]["message"], response.json()["error"]["message"]
    assert fault_counts(world) == []


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("chrage=card_charge_failed", "there is no effect 'chrage'; did you mean charge?"),
        ("drop=middle", "drop takes before or after; not 'middle'"),
        ("status=429; retry_after=soon", "retry_after takes whole seconds"),
        ("status=429; retryafter=3", "did you mean retry_after?"),
        ("webhook=dupe", "webhook takes one of duplicate, reorder"),
        (
            "status=402",
            "the 402 of createTeamOrder has members that this effect cannot give; use the effect charge, or",
        ),
        ("status=503; code=idempotency", "did you mean idempotency_unavailable?"),
        ("hold; drop=after", "an effect is one of charge, status"),
        ("signing_key=missing", "the fault 'signing_key=missing' can do nothing to createTeamOrder"),
    ],
)
def test_a_malformed_header_is_refused_with_the_reason(partner: PartnerClient, header: str, message: str) -> None:
    response = partner.call("POST", "/team-orders", order_body(), X_Sim_Fault=header)
    assert message in response.json()["error"]["message"], response.json()["error"]["message"]


def test_a_charge_fault_does_not_count_calls_without_a_charge(world: World, partner: PartnerClient) -> None:
    first = partner.create_order()
    world.add_fault({"charge": "card_charge_failed"}, id="declined", when={"first": 1})
    assert partner.create_order(idempotency_key="second", items=[]).status == 400
    assert partner.create_order().body == first.body  # a replay charges nothing
    assert fault_counts(world) == [(0, 0)]
    assert status_and_code(partner.create_order(idempotency_key="second")) == (402, "card_charge_failed")
    assert fault_counts(world) == [(1, 1)]
    assert partner.create_order(idempotency_key="third").status == 201
    assert [call["fault"] for call in world.call_control("GET", "/calls")["calls"]] == [
        None,
        None,
        None,
        "declined",
        None,
    ]


def test_a_crash_does_not_count_calls_whose_charge_fails(world: World) -> None:
    world.add_fault({"crash": "after_charge"}, when={"first": 1})
    assert world.partner("partner.no_funds").create_order().status == 402
    assert fault_counts(world) == [(0, 0)]
    with pytest.raises(ConnectionError):
        world.partner().create_order()
    assert fault_counts(world) == [(1, 1)]


def test_a_hold_does_not_count_calls_that_are_refused_before(world: World, partner: PartnerClient) -> None:
    world.add_fault({"hold": True}, when={"first": 1})
    assert partner.get("/team-orders/7").status == 404
    assert fault_counts(world) == [(0, 0)]
    statuses: list[int] = []
    caller = threading.Thread(target=lambda: statuses.append(partner.get("/team-orders").status))
    caller.start()
    while fault_counts(world) != [(1, 1)]:
        pass
    world.call_control("DELETE", "/faults")
    caller.join(5)
    assert statuses == [200]


def test_a_missing_signing_key_does_not_count_calls_that_need_none(world: World, partner: PartnerClient) -> None:
    world.add_fault({"signing_key": "missing"}, match={"operation": "createWebhook", "interface": "partner"})
    assert partner.post("/webhooks", {}).status == 400
    assert fault_counts(world) == [(0, 0)]


@pytest.mark.parametrize("effect", [{"drop": "before"}, {"drop": "after"}, {"status": 401}, {"status": 400}])
def test_drop_and_status_act_on_every_interface(world: World, effect: dict[str, Any]) -> None:
    clients = {"partner": world.partner(), "team": TeamClients(world).live, "museum": MuseumClient(world)}
    paths = {"partner": "/team-orders", "team": "/people", "museum": "/special-events"}
    for name, client in clients.items():
        fault = world.add_fault(effect, match={"interface": name}, when={"first": 1})
        if "drop" in effect:
            with pytest.raises(ConnectionError):
                client.get(paths[name])
        else:
            assert client.get(paths[name]).status == effect["status"]
        assert [other.get(paths[each]).status for each, other in clients.items()] == [200] * 3
        world.call_control("DELETE", f"/faults/{fault}")


def test_deleting_an_unknown_fault_names_the_nearest_one(world: World) -> None:
    world.add_fault({"drop": "after"}, id="lost-answers")
    response = world.control.delete(f"/worlds/{world.id}/faults/lost-response")
    assert status_and_code(response) == (404, "fault_not_found")
    assert "did you mean lost-answers?" in response.json()["error"]["message"]


def test_a_fault_acts_only_on_operations_that_document_its_status(world: World, partner: PartnerClient) -> None:
    team = TeamClients(world)
    world.add_fault({"status": 422})
    assert partner.get("/team-orders").status == 200
    assert partner.create_order().status == 201
    assert fault_counts(world) == [(0, 0)]
    assert team.live.get("/gifts").status == 422
    assert fault_counts(world) == [(1, 1)]


@pytest.mark.parametrize("match", [{}, {"operation": "listTeamOrders"}, {"credential": "partner.prepaid"}])
def test_an_undocumented_status_can_be_asked_for(world: World, partner: PartnerClient, match: dict[str, str]) -> None:
    world.add_fault({"status": 418, "undocumented": True}, match=match)
    response = world.client.call("GET", "/api/external/team-orders", headers=partner.headers)
    assert status_and_code(response) == (418, "status_418")


def test_a_fault_with_a_code_acts_only_on_operations_that_document_it(world: World, partner: PartnerClient) -> None:
    world.add_fault({"status": 503, "code": "webhooks_unavailable"}, match={"interface": "partner"})
    assert partner.create_order().status == 201
    assert status_and_code(partner.post("/webhooks", {})) == (503, "webhooks_unavailable")
    world.add_fault({"status": 503, "code": "no_such", "undocumented": True}, match={"interface": "partner"})
    assert status_and_code(partner.get("/team-orders")) == (503, "no_such")


@pytest.mark.parametrize(
    ("status", "message"), [(429, "Too Many Requests"), (503, "Service Unavailable"), (599, "Error")]
)
def test_an_app_is_not_told_that_an_error_was_injected(world: World, status: int, message: str) -> None:
    world.change_settings(faults__named=False)
    world.add_fault({"status": status, "code": "busy", "undocumented": True}, id="the-planned-one")
    partner, team = world.partner(), TeamClients(world).live
    answers = [partner.get("/team-orders"), team.get("/team"), MuseumClient(world).get("/museum-hours")]
    for answer in answers:
        told = answer.json()
        assert (answer.status, told.get("title") or told["error"]["message"]) == (status, message)
        assert "planned" not in answer.text
        assert "planned" not in str(answer.headers)


def test_a_missing_signing_key_is_told_in_the_same_words_whoever_removed_it(
    world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    world.change_settings(faults__named=False)
    told = []
    for rest in ({"when": {"first": 1}}, {}):
        world.add_fault({"signing_key": "missing"}, **rest)
        answer = partner.post("/webhooks/1/test")
        told.append((*status_and_code(answer), answer.json()["error"]["message"]))
        world.call_control("DELETE", "/faults")
    assert told[0] == told[1]
