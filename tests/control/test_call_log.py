"""The call log, usage and mail."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from giftsim.engine.worlds.call_log import CallLog
from giftsim.workbench.scenario import load_scenario, play
from giftsim.workbench.scenario.variables import resolve_variables
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.hostile_texts import HOSTILE
from tests.support.responses import status_and_code
from tests.support.worlds import World


def test_a_call_is_logged_with_its_response(world: World, partner: PartnerClient) -> None:
    partner.create_order(reference="REF-7")
    (entry,) = world.call_control("GET", "/calls")["calls"]
    assert (entry["seq"], entry["at"], entry["fault"], entry["note"]) == (1, world.now, None, None)
    assert (entry["request"]["method"], entry["request"]["path"]) == ("POST", "/api/external/team-orders")
    assert json.loads(entry["request"]["body"])["reference"] == "REF-7"
    assert entry["response"]["status"] == 201
    assert json.loads(entry["response"]["body"])["team_order"]["reference"] == "REF-7"
    assert "X-Request-Id" in entry["response"]["headers"]


def test_refused_calls_are_logged_too(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders?limit=0")
    partner.get("/no-such-thing")
    entries = world.call_control("GET", "/calls")["calls"]
    assert [(entry["response"]["status"], entry["note"]) for entry in entries] == [(400, None), (404, "no such route")]


def test_the_call_log_contains_no_secret(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.claimed")["secret"]
    links = partner.create_order(return_claim_links=True).json()["recipients"]
    token = links[0]["claim"]["link"].rsplit("/", 1)[1]
    text = json.dumps(world.call_control("GET", "/calls"))
    assert world.credentials["partner.prepaid"]["value"] not in text
    assert secret not in text
    assert token not in text
    assert f"/claim/{world.id}/***" in text


def test_the_call_log_is_listed_in_pages(world: World, partner: PartnerClient) -> None:
    for _ in range(5):
        partner.get("/team-orders")
    first = world.call_control("GET", "/calls?limit=3")
    rest = world.call_control("GET", f"/calls?after={first['next']}")
    assert [entry["seq"] for entry in first["calls"] + rest["calls"]] == [1, 2, 3, 4, 5]
    assert (rest["next"], rest["dropped"]) == (None, 0)


def test_the_call_log_is_bounded_and_counts_what_it_dropped(world: World, partner: PartnerClient) -> None:
    world.simulator.registry.worlds[world.id].calls.log = CallLog(max_entries=3)
    for _ in range(5):
        partner.get("/team-orders")
    log = world.call_control("GET", "/calls")
    assert ([entry["seq"] for entry in log["calls"]], log["dropped"]) == ([3, 4, 5], 2)
    response = world.control.get(f"/worlds/{world.id}/calls?after=1")
    assert status_and_code(response) == (409, "journal_truncated")
    assert world.call_control("GET", "/usage")["since"] == 3


def test_a_dropped_call_is_logged_without_response_and_names_its_fault(world: World, partner: PartnerClient) -> None:
    fault = world.add_fault({"drop": "before"})
    with pytest.raises(ConnectionError):
        partner.get("/team-orders")
    (entry,) = world.call_control("GET", "/calls")["calls"]
    assert (entry["response"], entry["fault"]) == (None, fault)


def test_usage_counts_by_credential_and_operation(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    partner.get("/team-orders")
    partner.get("/team-orders?limit=0")
    world.partner("partner.unbound").get("/team-orders")
    partner.get("/no-such-thing")
    usage = world.call_control("GET", "/usage")
    rows = [(row["credential"], row["operation"], row["calls"], row["refused"]) for row in usage["usage"]]
    assert rows == [
        ("partner.prepaid", "createTeamOrder", 1, 0),
        ("partner.prepaid", "listTeamOrders", 2, 1),
        ("partner.unbound", "listTeamOrders", 1, 1),
        ("partner.prepaid", None, 1, 1),
    ]
    assert (usage["calls"], usage["since"]) == (5, 1)


def test_mail_is_filtered_and_listed_in_pages(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": name, "email": f"{name}@example.com"} for name in ("bo", "cy")])
    both = world.mail()
    assert [mail["to"] for mail in both] == ["bo@example.com", "cy@example.com"]
    assert both[0]["links"][0].startswith(f"http://giftsim.example/claim/{world.id}/")
    assert world.call_control("GET", "/mail?to=cy@example.com")["mail"] == both[1:]
    assert world.call_control("GET", "/mail?kind=other")["mail"] == []
    assert world.call_control("GET", "/mail?after=1")["mail"] == both[1:]
    assert world.call_control("GET", "/mail?limit=1")["next"] == 1


def test_a_link_in_mail_opens_the_claim_page(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    link = world.mail()[0]["links"][0]
    assert world.claim(link.rsplit("/", 1)[1]).status == 200
    assert WEBHOOK_HOST not in link


def listed(world: World, query: str) -> list[int]:
    """The numbers of the calls that a query lists."""
    return [entry["seq"] for entry in world.call_control("GET", f"/calls?{query}")["calls"]]


def test_calls_are_listed_newest_first_and_filtered(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    partner.create_order(reference="Spring-7")
    partner.get("/no-such-thing")
    world.partner("partner.no_capability").get("/team-orders")
    partner.get("/team-orders", X_Sim_Fault="status=503")
    with pytest.raises(ConnectionError):
        partner.get("/team-orders", X_Sim_Fault="drop=before")
    cases = [
        ("", [6, 5, 4, 3, 2, 1]),
        ("limit=2&before=6", [5, 4]),
        ("operation=listTeamOrders", [6, 5, 4, 1]),
        ("interface=team", []),
        ("interface=partner&operation=createTeamOrder", [2]),
        ("credential=partner.no_capability", [4]),
        ("status=2xx", [2, 1]),
        ("status=404", [3]),
        ("status=dropped", [6]),
        ("fault=*", [6, 5]),
        ("fault=status%3D503", [5]),
        ("q=sPRING-7", [2]),
        ("q=pk_live", []),
    ]
    for query, expected in cases:
        assert listed(world, f"order=newest&{query}") == expected, query
    assert listed(world, "status=2xx") == [1, 2]
    page = world.call_control("GET", "/calls?order=newest&limit=1&counts=true")
    assert (page["next"], page["counts"]) == (6, {"2xx": 2, "3xx": 0, "4xx": 2, "5xx": 1, "dropped": 1})


def test_a_call_has_the_names_of_its_operation_and_credential(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    partner.get("/no-such-thing")
    known, unknown = world.call_control("GET", "/calls")["calls"]
    assert (known["interface"], known["operation"], known["credential"]) == (
        "partner", "createTeamOrder", "partner.prepaid",
    )  # fmt: skip
    assert (unknown["interface"], unknown["operation"], unknown["credential"]) == (
        "partner", None, "partner.prepaid",
    )  # fmt: skip
    assert world.call_control("GET", "/calls/1") == known


def test_text_that_is_redacted_is_not_found(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.claimed")["secret"]
    assert listed(world, f"q={secret.removeprefix('whsec_')}") == []
    assert listed(world, "q=team_order.claimed") == [1]


def test_one_call_that_never_was_or_was_dropped_is_refused(world: World, partner: PartnerClient) -> None:
    world.simulator.registry.worlds[world.id].calls.log = CallLog(max_entries=1)
    partner.get("/team-orders")
    partner.get("/team-orders")
    for seq, expected in ((3, (404, "call_not_found")), (1, (409, "journal_truncated"))):
        for path in (f"/calls/{seq}", f"/calls/{seq}/scenario"):
            assert status_and_code(world.control.get(f"/worlds/{world.id}{path}")) == expected


def test_one_call_is_a_scenario_that_plays(world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="mine", gift_sender='Ada: "quoted" & <b>')
    partner.get("/team-orders/99999")
    for seq in (1, 2):
        text = world.control.get(f"/worlds/{world.id}/calls/{seq}/scenario").text
        response = world.client.call(
            "POST", "/_sim/v1/scenarios/play", body=text, headers={"Content-Type": "application/yaml"}
        )
        assert response.json()["outcome"] == "passed", text
        assert 'as: "partner.prepaid"' in text


@pytest.mark.parametrize("text", HOSTILE)
def test_one_call_is_a_scenario_that_makes_the_same_call(world: World, partner: PartnerClient, text: str) -> None:
    body = {"idempotency_key": "mine", "gift_sender": text, text or "x": [text, {"a": None}]}
    partner.post(f"/team-orders?q={quote(text)}", body)
    partner.get(f"/team-orders/{quote(text)}")
    for seq, sent in ((1, body), (2, None)):
        scenario = load_scenario(world.control.get(f"/worlds/{world.id}/calls/{seq}/scenario").text)
        (step,) = scenario.source.data["steps"]
        assert resolve_variables(step.get("body"), {}) == sent
        report = play(scenario, world.client, keep=True)
        assert report.outcome == "passed", report.timeline
        again = world.control.get(f"/worlds/{report.world}/calls/1").json()
        assert again["request"]["path"] == world.call_control("GET", f"/calls/{seq}")["request"]["path"]
        world.control.delete(f"/worlds/{report.world}")
