"""Recordings of whole worlds: they read well and get the same bytes in another simulator."""

from __future__ import annotations

import re
import threading
from base64 import b64encode
from contextlib import closing

import pytest

from giftsim import Simulator, __version__
from giftsim.engine.client.response import Response
from giftsim.workbench.scenario import load_scenario, play
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.http_receiver import OK_RESPONSE, http_receiver, respond_always
from tests.support.orders import RENO, order_body
from tests.support.worlds import World


def replays(text: str, simulator: Simulator) -> bool:
    """Whether a recording gets the same bytes; prints the report for a test that fails."""
    report = play(load_scenario(text), simulator.client)
    print(report.timeline)  # noqa: T201
    return report.outcome == "passed"


def test_a_recording_is_a_readable_scenario(world: World, other: Simulator) -> None:
    world.add_fault({"drop": "after"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        world.partner().create_order(idempotency_key="${lost}")
    world.advance("90m")
    text = world.recording
    assert text.startswith(
        "# yaml-language-server: $schema=http://127.0.0.1:8080/schemas/scenario.json\n"
        f"# A recording of world {world.id} by giftsim {__version__}: 1 call with its response, "
        "which replay compares.\n"
        f"scenario: A recording of world {world.id}\nseed: 1\n"
    )
    assert text.partition("steps:\n")[2].partition("  - advance:")[0] == (
        "  - fault: {effect: {drop: after}, when: {first: 1}, optional: true}\n"
        "  - call: POST /api/external/team-orders\n"
        "    as: partner.prepaid\n"
        "    body:\n"
        "      idempotency_key: $${lost}\n"
        "      gift_sender: Ada\n"
        "      items: [{sku_code: MUG-01, quantity: 1}]\n"
        "      recipients: [{name: Bo, email: bo@example.com}]\n"
        "    expect: {connection: lost}\n"
    )
    assert replays(text, other)


def test_held_calls_continue_in_the_order_of_their_arrival(world: World, other: Simulator) -> None:
    fault = world.add_fault({"hold": True}, when={"calls": [*range(1, 9)]})
    threads = []
    for key in map(str, range(8)):
        threads.append(threading.Thread(target=world.partner().create_order, kwargs={"idempotency_key": key}))
        threads[-1].start()
        while world.call_control("GET", "")["counts"]["held"] < len(threads):
            pass
    world.partner().create_order(idempotency_key="meanwhile")
    world.call_control("DELETE", f"/faults/{fault}")
    for thread in threads:
        thread.join()
    text = world.recording
    out, back = (re.findall(rf"^ +(?:- )?{word}: (call-\d+)$", text, re.MULTILINE) for word in ("background", "await"))
    assert len(out) == 8
    assert back == out
    assert replays(text, other)


def test_credentials_are_recorded_by_name_and_without_the_world_id(world: World, other: Simulator) -> None:
    key = world.call_control("POST", "/keys", {"interface": "partner"})["key"]
    world.partner(key=key).create_order(idempotency_key="by a new key")
    world.call_control("DELETE", f"/keys/{key}")
    world.partner(key=key).create_order(idempotency_key="by a revoked key")
    pair = b64encode(f"museum.{world.id}:wrong".encode()).decode()
    world.client.call("GET", "/v1.1/special-events", headers={"Authorization": f"Basic {pair}"})
    world.client.call("GET", "/api/teams/v1/products", headers={"X-Api-Key": f"ptk_live_{world.id}_approver"})
    text = world.recording
    assert f"_{world.id}_" not in text
    assert "X-Api-Key: 'ptk_live_${world}_approver'" in text
    assert replays(text, other)


def test_a_key_that_was_revoked_before_a_restore_is_recorded_as_text(world: World, other: Simulator) -> None:
    world.call_control("POST", "/snapshots", {"name": "before"})
    world.call_control("DELETE", "/keys/partner.prepaid")
    assert world.partner().get("/team-orders").status == 401
    world.call_control("POST", "/snapshots/before/restore")
    world.call_control("DELETE", "/keys/partner.prepaid")
    assert world.partner().get("/team-orders").status == 401
    world.call_control("POST", "/snapshots/before/restore")
    assert world.partner().get("/team-orders").status == 200
    assert replays(world.recording, other)


def test_heads_and_repeated_keys_are_recorded_as_they_were_sent(world: World, other: Simulator) -> None:
    museum = world.credentials["museum"]["headers"]
    assert world.client.call("HEAD", "/v1.1/museum-hours", headers=museum).body == b""
    keys = {**world.credentials["team.live_approver"]["headers"], "Idempotency-Key": "a\nb"}
    answer = world.client.call("POST", "/api/teams/v1/people", body={"people": []}, headers=keys)
    assert (answer.status, answer.json()["error"]["code"]) == (400, "invalid_idempotency_key")
    assert replays(world.recording, other)


def test_white_space_in_a_query_is_quoted(world: World, other: Simulator) -> None:
    world.partner().get("/team-orders?cursor=a b\tc&limit=x")
    assert replays(world.recording, other)


def test_text_like_a_credential_or_a_link_in_a_body_stays_unchanged(world: World, other: Simulator) -> None:
    for text in (f"pk_live_{world.id}_x", f"http://giftsim.example/claim/{world.id}/x", "${world}"):
        world.partner().read_order(world.partner().create_order(idempotency_key=text, gift_sender=text, name=text))
        world.partner().post("/team-orders", f'"{text}"'.encode())
    assert replays(world.recording, other)


def test_a_fork_is_recorded_with_the_calls_before_the_fork(world: World, other: Simulator) -> None:
    world.partner().create_order(idempotency_key="before")
    fork = World.__new__(World)
    fork.__dict__.update(world.__dict__)
    fork.description = world.call_control("POST", "/fork", {})
    fork.id, fork.credentials = fork.description["id"], fork.description["credentials"]
    world.partner().create_order(idempotency_key="not here")
    fork.partner().create_order(idempotency_key="after")
    text = fork.recording
    assert "not here" not in text
    assert replays(text, other)
    fork.call_control("DELETE", "")


def test_replaying_pings_and_deliveries_makes_no_network_calls(world: World, other: Simulator) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        world.set_receiver(WEBHOOK_HOST, mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        world.partner().subscribe("team_order.claimed")
        assert world.partner().post("/webhooks/1/test").json()["ok"]
        text = world.recording
        assert len(receiver.requests) == 1
        assert replays(text, other)
        assert len(receiver.requests) == 1


def test_a_refused_control_call_is_not_recorded(world: World) -> None:
    assert world.control.post(f"/worlds/{world.id}/simulate/claim", {"team_order_id": 9, "recipient": 0}).status == 404
    assert "simulate" not in world.recording


def test_an_escaped_slash_in_a_path_stays_one(world: World, other: Simulator) -> None:
    assert world.partner().get("/team-orders/1001%2fmanifest.csv").status == 404
    assert "/team-orders/1001%2Fmanifest.csv" in str(world.call_control("GET", "/calls"))
    assert replays(world.recording, other)


@pytest.mark.parametrize("end", ["a%25b", "a%3Fb", "a%2Fb%252F", "%24%7Bx%7D", "%C3%A4%E4", "a?q=%25&x=${x}'#[]{}|"])
def test_whatever_is_in_a_path_is_sent_again(world: World, other: Simulator, end: str) -> None:
    world.partner().get(f"/team-orders/{end}")
    assert replays(world.recording, other)


def test_bodies_that_data_cannot_represent_keep_their_bytes(world: World, other: Simulator) -> None:
    for body in (b'{"a": 1, "a": 2}', b'{"a": 1.0}', b"\xff", b'"text"', b"[ ]", '{"é": " \u2028x"}'.encode()):
        world.partner().post("/team-orders", body)
    text = world.recording
    assert "    base64: /w==\n" in text
    assert replays(text, other)


def test_a_world_whose_first_events_were_dropped_cannot_be_recorded(world: World) -> None:
    large = order_body(notes="x" * 3_900_000)
    responses: list[Response] = [world.partner().post("/team-orders", large) for _ in range(9)]
    assert len(responses) == 9
    response = world.control.get(f"/worlds/{world.id}/calls/scenario")
    assert (response.status, response.json()["error"]["code"]) == (409, "journal_truncated")
    assert "event 2 is the first kept" in response.json()["error"]["message"].replace("\n", " ")


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_advance_that_stopped_at_its_bound_stops_there_again(world: World, other: Simulator) -> None:
    for n in range(4):
        world.partner().create_order(idempotency_key=f"order {n}")
        world.simulate("claim", team_order_id=1001 + n, recipient=0, address=RENO)
    bounded = {"by": "30d", "max_events": 3}
    assert world.control.post(f"/worlds/{world.id}/clock/advance", bounded).status == 409
    for n in range(4):
        world.partner().get(f"/team-orders/{1001 + n}")
    text = world.recording
    assert "max_events: 3" in text
    assert replays(text, other)


def test_an_advance_that_stopped_between_two_instants_becomes_a_shorter_advance(world: World, other: Simulator) -> None:
    world.partner().create_order()
    world.simulate("claim", team_order_id=1001, recipient=0, address=RENO)
    assert world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "5d", "max_events": 3}).status == 409
    text = world.recording
    assert "max_events" not in text
    assert replays(text, other)


def test_calls_with_unknown_methods_are_recorded(world: World, other: Simulator) -> None:
    for method in ("TRACE", "BREW", "M-SEARCH"):
        assert world.partner().call(method, "/team-orders").status == 405
    assert replays(world.recording, other)


def test_museum_calls_without_a_credential_are_recorded_with_the_worlds_own(
    other: Simulator,
) -> None:
    with closing(Simulator(fixture="empty")) as simulator:
        simulator.client.call("PATCH", "/_sim/v1/worlds/default/settings", body={"museum.open": True})
        for headers in ({}, {"Authorization": "Basic eDp5"}, {"Authorization": "Bearer x"}):
            assert simulator.client.call("GET", "/v1.1/special-events", headers=headers).status == 200
        text = simulator.client.call("GET", "/_sim/v1/worlds/default/calls/scenario").text
    assert text.count("    as: museum\n") == 3
    assert replays(text, other)


def test_a_credential_of_the_wrong_kind_is_recorded_unchanged(world: World, other: Simulator) -> None:
    wrong = {"Authorization": "Basic eDp5", "X-Sim-World": world.id}
    assert "with a partner key" in world.client.call("GET", "/api/external/team-orders", headers=wrong).text
    assert replays(world.recording, other)


def test_a_recording_of_a_replay_is_the_same(world: World, other: Simulator) -> None:
    world.set_receiver(WEBHOOK_HOST, script=[{"status": 500}])
    world.control.post(f"/worlds/{world.id}/simulate/claim", {"team_order_id": 9, "recipient": 0})
    fault = world.add_fault({"hold": True}, when={"first": 1})
    thread = threading.Thread(target=world.partner().create_order)
    thread.start()
    while not world.call_control("GET", "")["counts"]["held"]:
        pass
    world.call_control("DELETE", f"/faults/{fault}")
    thread.join()
    text = world.recording
    again = play(load_scenario(text), other.client, keep=True).world
    recorded = other.client.call("GET", f"/_sim/v1/worlds/{again}/calls/scenario").text
    assert recorded.replace(f"world {again}", f"world {world.id}") == text
