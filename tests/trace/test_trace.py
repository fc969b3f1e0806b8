"""The trace of a world: what happened, what it changed and what caused it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator

from giftsim import Simulator
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, order_body
from tests.support.secret_scanner import findings
from tests.support.traces import SCHEMA, causes, entries, state_after, trace_of
from tests.support.worlds import World

CLAIMED = "team_order.claimed"


def test_the_schema_is_strict() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    maps = ("members", "headers")
    for name, node in (("trace", SCHEMA), *SCHEMA["$defs"].items()):
        if node.get("type") == "object" and name not in maps:
            assert node.get("additionalProperties") is False, name


def test_the_causes_of_a_webhook_lead_to_the_order(world: World, partner: PartnerClient) -> None:
    partner.subscribe(CLAIMED)
    world.set_receiver(script=[{"status": 500}])
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("1d")
    trace = trace_of(world)
    first, second = entries(trace, "attempt")
    assert (first["attempt"]["status"], second["attempt"]["status"]) == (500, 200)
    retry = causes(trace, second)["timer"]
    assert causes(trace, retry)["retry"] == first
    event = causes(trace, first)["event"]
    assert causes(trace, second)["event"] == event
    claim = causes(trace, event)["made"]
    assert (claim["kind"], claim["control"]["operation"]) == ("act", "simulateClaim")
    mail = causes(trace, claim)["mail"]
    assert causes(trace, mail)["made"]["call"]["operation"] == "createTeamOrder"


def test_the_trace_of_the_app_stands_at_its_call_and_at_the_webhooks_that_follow(
    world: World, partner: PartnerClient
) -> None:
    sent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    partner.subscribe(CLAIMED)
    order = partner.call("POST", "/team-orders", order_body(), traceparent=sent).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("1d")
    trace = trace_of(world)
    assert [each["call"].get("traceparent") for each in entries(trace, "call")] == [None, sent]
    [attempt] = entries(trace, "attempt")
    assert attempt["attempt"]["traceparent"] == attempt["attempt"]["headers"]["traceparent"]
    assert attempt["attempt"]["traceparent"].split("-")[1] == sent.split("-")[1]


def test_a_timer_is_caused_by_what_set_it(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.advance("31d")
    trace = trace_of(world)
    [advance] = entries(trace, "advance")
    assert advance["advance"] == {"to": "2027-02-04T09:00:00Z"}
    [expired] = entries(trace, "timer", "the claim link expires")
    assert causes(trace, expired)["timer"]["call"]["operation"] == "createTeamOrder"
    assert expired["n"] > advance["n"]
    assert "canceled" not in expired


def test_changes_have_each_member_before_and_after_and_the_money(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    [create] = entries(trace_of(world), "call")
    changed = {change["record"]: change for change in create["changes"]}
    assert changed["account/0"]["members"] == {"cash_cents": [500_000, 497_400]}
    assert changed["order/0"]["what"] == "added"
    assert changed["order/0"]["members"]["status"] == "collecting_addresses"
    [charge] = create["ledger"]
    assert charge["postings"] == [["wallet 501", -2_600], ["order 1001", 2_600]]
    assert [timer["kind"] for timer in create["set"]] == ["shipment.expire"]


def test_changes_add_up_to_the_state_at_the_end(world: World, partner: PartnerClient) -> None:
    partner.subscribe(CLAIMED)
    order = partner.create_order().json()["team_order"]["id"]
    partner.create_order(idempotency_key="second")
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.call_control("POST", "/snapshots", {"name": "before"})
    world.advance("3d")
    world.call_control("POST", "/snapshots/before/restore")
    world.advance("10d")
    trace = trace_of(world)
    records, timers = state_after(trace, len(trace["entries"]))
    assert len(timers) == world.call_control("GET", "/clock")["pending"]
    statuses = {trace["records"][key]["id"]: row["status"] for key, row in records.items() if key.startswith("order/")}
    assert statuses == {row["id"]: row["status"] for row in world.rows("orders")}
    [account] = [row for row in world.rows("accounts") if row["account_id"] == 501]
    assert records["account/0"]["cash_cents"] == account["wallet_cents"]


def test_a_repeated_write_names_the_first_one_and_a_lost_answer_its_fault(world: World, partner: PartnerClient) -> None:
    world.add_fault({"drop": "after"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.create_order(idempotency_key="one")
    partner.create_order(idempotency_key="two")
    trace = trace_of(world)
    lost, repeated = entries(trace, "call")
    assert lost["call"]["response"] is None
    assert causes(trace, lost)["fault"]["kind"] == "fault"
    assert causes(trace, repeated)["repeats"] == lost


def test_a_call_that_matches_no_route_names_the_nearest(world: World, partner: PartnerClient) -> None:
    partner.get("/team-order")
    [call] = entries(trace_of(world), "call")
    assert call["call"]["near"] == "/api/external/team-orders"
    assert "operation" not in call["call"]


def test_operations_name_their_source_and_what_it_says(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    trace = trace_of(world)
    assert trace["operations"]["createTeamOrder"]["sources"][0] == "P-4.1"
    assert trace["statements"]["P-4.1"].startswith("`POST /api/external/team-orders` answers 201")


def test_a_trace_of_a_world_that_was_reset_begins_anew(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.call_control("POST", "/reset")
    assert [entry["kind"] for entry in trace_of(world)["entries"]] == ["world"]


def test_what_was_undone_is_not_in_the_trace(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    partner.create_order(idempotency_key="second")
    world.call_control("POST", "/undo", {})
    assert len(entries(trace_of(world), "call")) == 1


def test_a_fork_has_the_life_of_its_parent_and_its_own(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    fork = world.call_control("POST", "/fork", {})
    headers = fork["credentials"]["partner.prepaid"]["headers"]
    PartnerClient(world.client, partner.contract, headers).create_order(idempotency_key="second")
    response = world.control.get(f"/worlds/{fork['id']}/trace?format=json").json()
    assert len(entries(response, "call")) == 2
    assert response["world"]["same"]


def test_it_hides_what_recordings_hide(world: World, partner: PartnerClient) -> None:
    partner.subscribe(CLAIMED)
    key = "0f8fad5b-d9cb-469f-a165-70867728950e"
    partner.create_order(idempotency_key=key)
    partner.create_order(idempotency_key=key)
    [mail] = world.mail()
    world.claim(mail["links"][0].rpartition("/")[2])
    foreign = "sk_live_" + "51HqLyjWDarjtT1zdp7dc"
    partner.get("/team-orders?api_key=" + foreign, Authorization=f"Bearer {foreign}")
    text = world.control.get(f"/worlds/{world.id}/trace?format=json").text
    assert findings(text) == findings(text.replace('\\"', '"')) == []
    assert mail["links"][0].rpartition("/")[2] not in text
    assert '\\"idempotency_key\\":\\"key-1\\"' in text


def test_a_random_uuid_is_a_numbered_key_also_if_its_digits_repeat(world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="6cd86b30-0562-4ed2-808a-cd65d8586636")
    text = world.control.get(f"/worlds/{world.id}/trace?format=json").text
    assert '\\"idempotency_key\\":\\"key-1\\"' in text


def test_it_hides_the_bare_tokens_of_links_that_a_restore_or_a_new_link_took_away(
    world: World, partner: PartnerClient
) -> None:
    world.call_control("POST", "/snapshots", {"name": "clean"})
    order = partner.create_order(idempotency_key="first").json()["team_order"]["id"]
    partner.create_order(idempotency_key="second")
    first, second = (mail["links"][0].rpartition("/")[2] for mail in world.mail()[-2:])
    world.simulate("claim", token=first)
    world.call_control("POST", "/snapshots/clean/restore")
    partner.create_order(idempotency_key="first")
    world.simulate("claim_link", team_order_id=order, recipient=0)
    refused = world.control.post(f"/worlds/{world.id}/simulate/claim", {"token": first})
    assert refused.status == 410, refused.text
    world.simulate("claim", token=world.mail()[-1]["links"][0].rpartition("/")[2])
    text = world.control.get(f"/worlds/{world.id}/trace?format=json").text
    assert [token for token in (first, second) if token in text] == []


NO_SECRETS = ("webhook_test_order_1", "webhook_test_order_2", "mock_test_run", "a_disk_live_b", "sessions_x", "basics")
HIDDEN = (
    *("Basic\xa0dXNlcjpwYXNzd29yZA==", "basic\u2003dXNl", "Session\tabc", "SESSION\n\nabc", "\nBasic abc"),
    *("PK_LIVE_shop_1", "xptk_test_1", "https://ada:hush@x.example", "https:\\/\\/ada:hush@x.example"),
    *("?a=1&api_key=hush", "http%3A%2F%2Fada%3Ahush%40b.example", "/claim/w/abc?x=1", "\\/claim\\/w\\/abc"),
    *("\u0130 sess_abc whsec_abc", "\u017fess_abc"),
)


@pytest.mark.parametrize("text", [*NO_SECRETS, *HIDDEN])
def test_it_hides_in_a_call_exactly_what_the_call_log_hides(world: World, partner: PartnerClient, text: str) -> None:
    partner.create_order(idempotency_key="k1", gift_message=text, reference=text)
    world.client.call("POST", f"/api/external/team-orders?q={quote(text, safe='/?=&%')}", body=f'{{"{text}')
    traced = [entry["call"] for entry in entries(trace_of(world), "call")]
    logged = world.control.get(f"/worlds/{world.id}/calls?limit=1000").json()["calls"]
    for one, other in zip(traced, logged, strict=True):
        assert (one["request"], one["response"]["body"]) == (other["request"], other["response"]["body"])
    assert (text in traced[0]["request"]["body"]) == (text in NO_SECRETS)


def test_tracing_leaves_the_world_as_it_is(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    before = world.fingerprint()
    trace_of(world)
    assert world.fingerprint() == before


def test_entries_are_the_same_for_the_same_life(new_world: Callable[..., World], simulator: Simulator) -> None:
    def life(world: World) -> Any:
        world.partner().create_order()
        world.advance("10d")
        trace = trace_of(world)
        return [(entry["kind"], entry["at"], entry["title"]) for entry in trace["entries"]]

    assert life(new_world()) == life(new_world())
