"""A world as a scenario: whatever was done to it is there, and gives the same bytes in another simulator."""

from __future__ import annotations

import re
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from giftsim import Simulator
from giftsim.gateway.in_process_client import Response
from giftsim.scenario import load, play
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.orders import RENO, order_body
from tests.support.worlds import World


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Simulator]:
    """Another simulator, to replay in."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()


def taken(world: World) -> str:
    """The recording of a world."""
    answer = world.control.get(f"/worlds/{world.id}/journal/scenario")
    assert answer.status == 200, answer.text
    return answer.text


def replays(text: str, simulator: Simulator) -> bool:
    """Whether a recording gives the same bytes; what differs is printed."""
    report = play(load(text), simulator.client)
    print(report.timeline)  # noqa: T201 - for whoever sees the test fail
    return report.outcome == "passed"


def test_it_is_a_story_that_people_read(world: World, elsewhere: Simulator) -> None:
    world.add_fault({"drop": "after"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        world.partner().create_order(idempotency_key="${lost}")
    world.advance("90m")
    text = taken(world)
    assert text.startswith(
        "# yaml-language-server: $schema=../../simulator/giftsim/scenario/schema.json\n"
        f"# A recording of world {world.id}: 1 calls, each with the answer that must come again.\n"
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
    assert replays(text, elsewhere)


def test_calls_that_were_held_go_on_in_the_order_in_which_they_came(world: World, elsewhere: Simulator) -> None:
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
    text = taken(world)
    out, back = (re.findall(rf"^ +(?:- )?{word}: (call-\d+)$", text, re.MULTILINE) for word in ("background", "await"))
    assert len(out) == 8
    assert back == out
    assert replays(text, elsewhere)


def test_credentials_go_by_name_and_never_by_their_world(world: World, elsewhere: Simulator) -> None:
    key = world.call_control("POST", "/keys", {"interface": "partner"})["key"]
    world.partner(key=key).create_order(idempotency_key="by a new key")
    world.call_control("DELETE", f"/keys/{key}")
    world.partner(key=key).create_order(idempotency_key="by none any more")
    pair = b64encode(f"museum.{world.id}:wrong".encode()).decode()
    world.client.call("GET", "/v1.1/special-events", headers={"Authorization": f"Basic {pair}"})
    world.client.call("GET", "/api/teams/v1/products", headers={"X-Api-Key": f"ptk_live_{world.id}_approver"})
    text = taken(world)
    assert f"_{world.id}_" not in text
    assert "X-Api-Key: 'ptk_live_${world}_approver'" in text
    assert replays(text, elsewhere)


def test_a_key_that_was_revoked_until_an_earlier_moment_came_back_goes_by_its_text(
    world: World, elsewhere: Simulator
) -> None:
    world.call_control("POST", "/snapshots", {"name": "before"})
    world.call_control("DELETE", "/keys/partner.prepaid")
    assert world.partner().get("/team-orders").status == 401
    world.call_control("POST", "/snapshots/before/restore")
    world.call_control("DELETE", "/keys/partner.prepaid")
    assert world.partner().get("/team-orders").status == 401
    world.call_control("POST", "/snapshots/before/restore")
    assert world.partner().get("/team-orders").status == 200
    assert replays(taken(world), elsewhere)


def test_white_space_in_a_query_is_quoted(world: World, elsewhere: Simulator) -> None:
    world.partner().get("/team-orders?cursor=a b\tc&limit=x")
    assert replays(taken(world), elsewhere)


def test_what_looks_like_a_credential_or_a_link_in_a_body_is_the_text_of_its_sender(
    world: World, elsewhere: Simulator
) -> None:
    for mine in (f"pk_live_{world.id}_x", f"http://giftsim.example/claim/{world.id}/x", "${world}"):
        world.partner().read_order(world.partner().create_order(idempotency_key=mine, gift_sender=mine, name=mine))
        world.partner().post("/team-orders", f'"{mine}"'.encode())
    assert replays(taken(world), elsewhere)


def test_a_fork_is_recorded_with_the_past_that_it_shares(world: World, elsewhere: Simulator) -> None:
    world.partner().create_order(idempotency_key="before")
    fork = World.__new__(World)
    fork.__dict__.update(world.__dict__)
    fork.description = world.call_control("POST", "/fork", {})
    fork.id, fork.credentials = fork.description["id"], fork.description["credentials"]
    world.partner().create_order(idempotency_key="not here")
    fork.partner().create_order(idempotency_key="after")
    text = taken(fork)
    assert "not here" not in text
    assert replays(text, elsewhere)
    fork.call_control("DELETE", "")


def test_nobody_is_dialled_when_pings_and_deliveries_are_replayed(
    world: World, elsewhere: Simulator, listener: Callable[..., str]
) -> None:
    heard: list[int] = []
    world.set_receiver(WEBHOOK_HOST, mode="forward", to=listener(lambda: heard.append(1)))
    world.partner().subscribe("team_order.claimed")
    assert world.partner().post("/webhooks/1/test").json()["ok"]
    text = taken(world)
    assert len(heard) == 1
    assert replays(text, elsewhere)
    assert len(heard) == 1


def test_a_control_call_that_was_refused_is_no_part_of_it(world: World) -> None:
    assert world.control.post(f"/worlds/{world.id}/simulate/claim", {"team_order_id": 9, "recipient": 0}).status == 404
    assert "simulate" not in taken(world)


def test_bodies_that_data_cannot_say_keep_their_bytes(world: World, elsewhere: Simulator) -> None:
    for body in (b'{"a": 1, "a": 2}', b'{"a": 1.0}', b"\xff", b'"text"', b"[ ]", '{"é": " \u2028x"}'.encode()):
        world.partner().post("/team-orders", body)
    text = taken(world)
    assert "    base64: /w==\n" in text
    assert replays(text, elsewhere)


def test_a_recording_without_its_beginning_is_refused(world: World) -> None:
    large = order_body(notes="x" * 3_900_000)
    answers: list[Response] = [world.partner().post("/team-orders", large) for _ in range(9)]
    assert len(answers) == 9
    answer = world.control.get(f"/worlds/{world.id}/journal/scenario")
    assert (answer.status, answer.json()["error"]["code"]) == (409, "journal_truncated")
    assert "event 2 is the first kept" in answer.json()["error"]["message"].replace("\n", " ")


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_advance_that_stopped_at_its_bound_stops_there_again(world: World, elsewhere: Simulator) -> None:
    for n in range(4):
        world.partner().create_order(idempotency_key=f"order {n}")
        world.simulate("claim", team_order_id=1001 + n, recipient=0, address=RENO)
    bounded = {"by": "30d", "max_events": 5}
    assert world.control.post(f"/worlds/{world.id}/clock/advance", bounded).status == 409
    for n in range(4):
        world.partner().get(f"/team-orders/{1001 + n}")
    text = taken(world)
    assert "max_events: 24" in text, "as many as the bound had counted, hourly runs among them"
    assert replays(text, elsewhere)


def test_an_advance_that_stopped_between_two_instants_is_one_up_to_where_it_stopped(
    world: World, elsewhere: Simulator
) -> None:
    world.partner().create_order()
    world.simulate("claim", team_order_id=1001, recipient=0, address=RENO)
    assert world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "5d", "max_events": 3}).status == 409
    text = taken(world)
    assert "max_events" not in text
    assert replays(text, elsewhere)


def test_calls_by_methods_that_nobody_knows_are_made_again(world: World, elsewhere: Simulator) -> None:
    for method in ("TRACE", "BREW", "M-SEARCH"):
        assert world.partner().call(method, "/team-orders").status == 405
    assert replays(taken(world), elsewhere)


def test_what_the_default_world_gave_to_museum_visitors_without_a_name_is_given_to_its_own(
    elsewhere: Simulator,
) -> None:
    with closing(Simulator(fixture="empty")) as simulator:
        simulator.client.call("PATCH", "/_sim/v1/worlds/default/settings", body={"museum.open": True})
        for headers in ({}, {"Authorization": "Basic eDp5"}, {"Authorization": "Bearer x"}):
            assert simulator.client.call("GET", "/v1.1/special-events", headers=headers).status == 200
        text = simulator.client.call("GET", "/_sim/v1/worlds/default/journal/scenario").text
    assert text.count("    as: museum\n") == 3
    assert replays(text, elsewhere)


def test_a_wrong_kind_of_credential_is_sent_as_it_came(world: World, elsewhere: Simulator) -> None:
    wrong = {"Authorization": "Basic eDp5", "X-Sim-World": world.id}
    assert "holds no partner key" in world.client.call("GET", "/api/external/team-orders", headers=wrong).text
    assert replays(taken(world), elsewhere)


def test_a_recording_of_what_was_replayed_is_the_same(world: World, elsewhere: Simulator) -> None:
    world.set_receiver(WEBHOOK_HOST, script=[{"status": 500}])
    world.control.post(f"/worlds/{world.id}/simulate/claim", {"team_order_id": 9, "recipient": 0})
    fault = world.add_fault({"hold": True}, when={"first": 1})
    thread = threading.Thread(target=world.partner().create_order)
    thread.start()
    while not world.call_control("GET", "")["counts"]["held"]:
        pass
    world.call_control("DELETE", f"/faults/{fault}")
    thread.join()
    text = taken(world)
    again = play(load(text), elsewhere.client, keep=True).world
    recorded = elsewhere.client.call("GET", f"/_sim/v1/worlds/{again}/journal/scenario").text
    assert recorded.replace(f"world {again}", f"world {world.id}") == text
