"""Recorded traffic: what differs is named with the setting that explains it, and nothing else is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.engine.client.response import Response
from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.traffic import explanation_search
from giftsim.workbench.traffic.traffic_replay import scenario_in
from tests.compare.service import compare, run_service
from tests.support.planted_traffic import FAULTS
from tests.support.recorded_clients import PARTNER, TEAM, Client, L, P, T
from tests.support.recorded_service import Fault, RecordedService

Steps = Callable[[Client], None]


def recorded(
    folder: Path, live: Steps, settings: Mapping[str, Any] = {}, faults: tuple[Fault, ...] = ()
) -> tuple[Path, Client]:
    """A file with the traffic of a service while a client lives."""
    service = RecordedService(settings, faults)
    client = Client(service, 1)
    live(client)
    file = folder / "traffic.har"
    file.write_text(json.dumps(service.har()))
    return file, client


def compared(file: Path, *options: str, **environ: str) -> Result:
    """Compare with a file as a user does."""
    return CliRunner().invoke(main, ["compare", "--traffic", str(file), *options], env=environ)


def rows(result: Result, part: str = "operations") -> dict[str, list[dict[str, Any]]]:
    """The differences by operation or event, of those that have any."""
    name = "operation" if part == "operations" else "event"
    return {row[name]: row["differences"] for row in json.loads(result.stdout)[part] if row["differences"]}


def a_gift(client: Client) -> None:
    """An order whose recipient claims it, with all that follows in six days."""
    client.begin()
    client.order()
    client.service.advance("6d")
    client.read()


def test_an_equal_service_with_another_seed_has_no_differences(tmp_path: Path) -> None:
    result = compared(recorded(tmp_path, a_gift)[0], "--json")
    report = json.loads(result.stdout)
    assert (result.exit_code, rows(result), rows(result, "webhooks")) == (0, {}, {})
    assert sorted(report) == ["operations", "webhooks"]
    outcomes = {row["operation"]: row["outcome"] for row in report["operations"] if row["interface"] == "partner"}
    assert (outcomes["createTeamOrder"], outcomes["settleBalance"]) == ("same", "not_reached")
    events = {row["event"]: row["outcome"] for row in report["webhooks"] if row["interface"] == "partner"}
    assert (events["team_order.shipped"], events["order.shipped"]) == ("same", "not_reached")


def test_a_price_is_explained_by_the_setting_with_the_value_that_the_service_has(tmp_path: Path) -> None:
    file, _ = recorded(tmp_path, a_gift, {"partner.prices.shipping.US": 875})
    result = compared(file, "--json")
    expected = {"decision": "B14", "setting": "partner.prices.shipping.US", "value": 875}
    assert (result.exit_code, rows(result)["createTeamOrder"]) == (1, [expected])
    assert compared(file, "--setting", "partner.prices.shipping.US=875").exit_code == 0


def test_a_search_that_is_too_much_work_ends_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, _ = recorded(tmp_path, a_gift, {"partner.prices.shipping.US": 875})
    monkeypatch.setattr(explanation_search, "MOST_CALLS", 20)
    result = compared(file)
    assert "ended early, after" in result.stdout
    assert "other settings may explain more; compare a shorter part of the file" in result.stdout
    assert rows(compared(file, "--json"))["createTeamOrder"][0]["kind"] == "amount"


def test_a_price_that_makes_up_for_the_sum_alone_is_not_taken_for_that_of_a_part(tmp_path: Path) -> None:
    def to_two(client: Client) -> None:
        client.begin()
        for number in range(3):
            people = [{"name": name, "email": f"{name}{number}@example.com"} for name in ("Bo", "Cy")]
            sent = {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}], "recipients": people}
            client.call("POST", f"{PARTNER}/team-orders", {**sent, "idempotency_key": client.key()}, by=P)

    found = rows(compared(recorded(tmp_path, to_two, {"partner.prices.shipping.US": 875})[0], "--json"))
    assert found["createTeamOrder"] == [{"decision": "B14", "setting": "partner.prices.shipping.US", "value": 875}]


def test_a_parcel_that_takes_longer_is_explained_by_its_webhooks(tmp_path: Path) -> None:
    file, _ = recorded(tmp_path, a_gift, {"partner.lead_times.shipped": "4d"})
    found = rows(compared(file, "--json"), "webhooks")
    assert found["team_order.shipped"] == [{"decision": "B25", "setting": "partner.lead_times.shipped", "value": "4d"}]


def test_what_no_setting_explains_is_named_with_its_place_and_its_entries(tmp_path: Path) -> None:
    fault = FAULTS["getWebhook", "lost_member", "$.endpoint.events"]

    def look(client: Client) -> None:
        client.begin()
        client.call("GET", f"{PARTNER}/webhooks/1", by=P)

    file, _ = recorded(tmp_path, look, faults=(fault,))
    [difference] = rows(compared(file, "--json"))["getWebhook"]
    assert (difference["setting"], difference["value"]) == (None, None)
    assert (difference["kind"], difference["path"], difference["entries"]) == ("lost_member", "$.endpoint.events", [4])
    lines = compared(file).stdout.splitlines()
    assert lines[0] == "getWebhook  (partner)"
    assert lines[1].startswith("  $.endpoint.events, missing member: giftsim list of 3, the service absent")
    assert lines[-1].startswith("1 difference that no setting explains: 4 calls and 0 webhooks of traffic.har; ")


def test_the_text_names_the_decision_and_the_options_that_fit(tmp_path: Path) -> None:
    result = compared(recorded(tmp_path, a_gift, {"partner.address_mode": "direct", "partner.page_size": 25})[0])
    assert "  B1 documented in part: partner.page_size is 25, not 20" in result.stdout
    assert "giftsim fits better with --setting partner.page_size=25" in result.stdout


def test_a_webhook_that_was_refused_is_tried_again_as_in_the_recording(tmp_path: Path) -> None:
    def refuse(client: Client) -> None:
        client.begin()
        client.order()
        client.service.advance("6d")
        client.webhooks()

    file, client = recorded(tmp_path, refuse)
    attempts = client.service.world.rows("deliveries")
    assert max(each["attempt"] for each in attempts) > 2
    assert compared(file).exit_code == 0


def test_two_credentials_of_one_interface_must_be_named(tmp_path: Path) -> None:
    def read(client: Client) -> None:
        client.call("GET", f"{TEAM}/team", by=L)
        client.call("GET", f"{TEAM}/team", by="team.live_requester")
        client.call("GET", f"{TEAM}/team", by=T)

    file, _ = recorded(tmp_path, read)
    refused = compared(file)
    assert refused.exit_code == 2
    assert "several credentials of the team interface: entries 1 and 2 have two; say whose they are" in refused.stderr
    named = compared(file, "--credential", "team.live_requester=OTHER", OTHER="ptk_live_recorded_requester")
    assert named.exit_code in (0, 2)


def test_a_call_about_a_record_from_before_the_recording_is_left_out_and_counted(tmp_path: Path) -> None:
    file, _ = recorded(tmp_path, a_gift)
    data = json.loads(file.read_text())
    entries = data["log"]["entries"]
    data["log"]["entries"] = [each for each in entries if not each["request"]["url"].endswith("/team-orders")]
    file.write_text(json.dumps(data))
    result = compared(file)
    assert "times: it names a record from before the recording" in result.stdout
    assert not rows(compared(file, "--json")).get("getTeamOrder")


def test_a_file_without_a_call_of_the_service_is_refused(tmp_path: Path) -> None:
    file, _ = recorded(tmp_path, Client.order)
    file.write_text(file.read_text().replace("/api/external", "/gifts"))
    refused = compared(file)
    assert refused.exit_code == 2
    assert "has no call of the service among its" in refused.stderr
    assert "--target" in refused.stderr
    moved = compared(file, "--target", "partner=https://api.service.example/gifts")
    assert moved.exit_code == 0, moved.output


def test_options_that_cannot_take_effect_are_refused(tmp_path: Path) -> None:
    file, _ = recorded(tmp_path, lambda client: client.begin())
    assert compared(file, "--spend").exit_code == 2
    assert compared(file, "scenarios/museum/whole_visit.yaml").exit_code == 2
    assert CliRunner().invoke(main, ["compare"]).exit_code == 2


@pytest.mark.parametrize("content", ["", "[]", '{"log": {}}'])
def test_a_file_other_than_har_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "no.har"
    file.write_text(content)
    refused = compared(file)
    assert (refused.exit_code, refused.stderr.startswith(f"Error: --traffic {file} is ")) == (2, True)


def test_what_a_recording_shows_is_kept_once_for_each_recording(tmp_path: Path) -> None:
    file, _ = recorded(tmp_path, a_gift, {"partner.prices.shipping.US": 875})
    kept = tmp_path / "observed.json"
    compared(file, "--observed", str(kept))
    first = kept.read_text()
    compared(file, "--observed", str(kept))
    assert kept.read_text() == first
    tally = json.loads(first)["decisions"]["B14"]["traffic.har"]
    assert tally["differs"] > 0
    assert tally["settings"] == {"partner.prices.shipping.US": 875}


def test_the_calls_of_a_live_comparison_are_kept_as_traffic(tmp_path: Path) -> None:
    file = tmp_path / "live.har"
    with run_service() as service:
        live = compare(service.origin, "--har", str(file), "scenarios/museum/whole_visit.yaml")
    assert live.exit_code == 0, live.output
    assert "museum-pass" not in file.read_text()
    result = compared(file)
    assert (result.exit_code, "15 calls and 0 webhooks of live.har" in result.stdout) == (0, True), result.output


def test_a_charge_is_declined_where_it_was_and_an_account_begins_with_the_money_that_it_had(tmp_path: Path) -> None:
    def decline(client: Client) -> None:
        client.begin()
        client.order()
        client.service.world.control("POST", "/simulate/account", {"key": P, "wallet_cents": 0, "card": "declined"})
        body = {
            "idempotency_key": client.key(),
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": "bo@example.com"}],
        }
        declined = client.service.call("POST", f"{PARTNER}/team-orders", body, by=P)
        assert (declined.status, declined.json()["error"]["code"]) == (402, "card_charge_failed")

    result = compared(recorded(tmp_path, decline)[0])
    assert result.exit_code == 0, result.output


def test_secrets_that_were_taken_out_of_a_file_are_not_a_difference(tmp_path: Path) -> None:
    def live(client: Client) -> None:
        a_gift(client)
        client.call("GET", f"{P}/team-orders", by=P, Authorization="Bearer wrong")

    file, _ = recorded(tmp_path, live)
    text = re.sub(r"Bearer [^\"]*|whsec_\w*", "***", file.read_text())
    file.write_text(re.sub(r"t=\d+,v1=\w*", "***", text))
    result = compared(file, "--json", "--credential", "team.test=TEAM_KEY", TEAM_KEY="its-text")
    assert (rows(result), rows(result, "webhooks")) == ({}, {})


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("approval.decided", {"status": ["approved"], "resource_type": {"a": 1}}),
        ("team_order.needs_attention", {"reason": ["shipment_rejected"]}),
    ],
)
def test_a_webhook_with_members_of_another_kind_lets_nobody_act(tmp_path: Path, kind: str, data: Any) -> None:
    file, _ = recorded(tmp_path, a_gift)
    content = json.loads(file.read_text())
    webhooks = [each for each in content["log"]["entries"] if "X-Service-Event" in str(each["request"]["headers"])]
    webhooks[-1]["request"]["postData"]["text"] = json.dumps({"type": kind, "id": "evt_other", "data": data})
    file.write_text(json.dumps(content))
    assert kind in rows(compared(file, "--json"), "webhooks")


@pytest.mark.parametrize("quantity", ["2", [1], -1, 0.5])
def test_an_order_with_another_kind_of_quantity_is_compared(tmp_path: Path, quantity: Any) -> None:
    file, _ = recorded(tmp_path, a_gift)
    content = json.loads(file.read_text())
    for each in content["log"]["entries"]:
        posted = each["request"].get("postData", {"text": ""})
        if '"sku_code"' in posted["text"]:
            body = json.loads(posted["text"])
            body["items"] = [{"sku_code": "NEW-1", "quantity": quantity}]
            posted["text"] = json.dumps(body)
    file.write_text(json.dumps(content))
    assert "createTeamOrder" in rows(compared(file, "--json"))


def test_a_file_without_responses_is_refused_for_that(tmp_path: Path) -> None:
    file, _ = recorded(tmp_path, a_gift)
    content = json.loads(file.read_text())
    for each in content["log"]["entries"]:
        each["response"]["status"] = 0
    file.write_text(json.dumps(content))
    result = compared(file)
    assert (result.exit_code, "lacks the response of each call" in result.stderr) == (2, True)


def test_an_answer_without_a_scenario_is_not_taken_for_one() -> None:
    refused = Response(409, {"content-type": "application/json"}, b'{"error": {"message": "its log was full"}}')
    with pytest.raises(CannotCompare, match=r"a shorter part of the file can be recorded.*its log was full"):
        scenario_in(refused)


def an_order(client: Client) -> dict[str, Any]:
    """The body of an order whose recipient is to claim it."""
    return {
        "idempotency_key": client.key(),
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }


@pytest.mark.parametrize("under_way", [False, True])
def test_a_call_whose_answer_was_lost_is_made_because_its_repetition_was_replayed(
    tmp_path: Path, *, under_way: bool
) -> None:
    def repeat(client: Client) -> None:
        body = an_order(client)
        for _ in range(3):
            client.call("POST", f"{PARTNER}/team-orders", body, by=P)
        client.call("POST", f"{PARTNER}/team-orders", an_order(client), by=P)

    file, _ = recorded(tmp_path, repeat)
    content = json.loads(file.read_text())
    first, second = (each["response"] for each in content["log"]["entries"][:2])
    first["status"] = 0
    if under_way:
        second["status"], second["headers"] = 409, [{"name": "content-type", "value": "application/json"}]
        second["content"]["text"] = json.dumps({"error": {"code": "idempotency_outcome_unknown", "message": "wait"}})
    file.write_text(json.dumps(content))
    result = compared(file)
    assert (result.exit_code, "1 times: a call without a response, made because" in result.stdout) == (0, True), result
    assert ("1 times: a refusal because a call without a response" in result.stdout) == under_way


def test_a_call_without_a_response_that_nothing_shows_to_have_arrived_is_not_made(tmp_path: Path) -> None:
    def twice(client: Client) -> None:
        for _ in range(2):
            client.call("POST", f"{PARTNER}/team-orders", an_order(client), by=P)

    file, _ = recorded(tmp_path, twice)
    content = json.loads(file.read_text())
    content["log"]["entries"][0]["response"]["status"] = 0
    file.write_text(json.dumps(content))
    result = compared(file)
    assert (result.exit_code, "1 times: a call without a response\n" in result.stdout) == (0, True), result.output


@pytest.mark.parametrize("kind", ["shipped", "delivered", "needs_attention"])
@pytest.mark.parametrize("event", [None, {"date": "2027-01-14"}, {"date": "2027-01-14", "rush": True}])
def test_people_claim_when_later_events_and_answers_show_it(
    tmp_path: Path, kind: str, event: Mapping[str, Any] | None
) -> None:
    def live(client: Client) -> None:
        endpoint = {"url": "https://hooks.partner.example/in", "events": [f"team_order.{kind}"]}
        client.call("POST", f"{PARTNER}/webhooks", endpoint, by=P)
        body = {**an_order(client), **({"event": event} if event else {})}
        body["recipients"].append({"name": "Cy", "email": "cy@example.com"})
        order = client.call("POST", f"{PARTNER}/team-orders", body, by=P)["team_order"]["id"]
        client.orders.append(order)
        client.service.advance("20m")
        client.service.act("claim", team_order_id=order, recipient=0)
        client.service.advance("20m")
        client.call("POST", f"{PARTNER}/team-orders", body, by=P)
        if kind == "needs_attention":
            client.read()
        client.service.advance("12d")
        client.read()

    file, _ = recorded(tmp_path, live)
    result = compared(file)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("no webhook tells of 1 claim: ")
