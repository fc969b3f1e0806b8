"""The changes of a world as a list: what is in it, its numbers, and what is taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim.engine.worlds.changes import Changes
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.responses import created, status_and_code
from tests.support.restarts import RestartableSimulator
from tests.support.waiting import wait_until
from tests.support.worlds import World


def changes(world: World, query: str = "") -> list[Any]:
    """The changes of a world, all but the timers."""
    listed = world.call_control("GET", f"/changes?limit=1000{query}")["changes"]
    return [change for change in listed if change["kind"] != "timer"]


def told(world: World, query: str = "") -> list[tuple[str, str]]:
    """Kind and summary of the changes, without timers."""
    return [(change["kind"], change["summary"]) for change in changes(world, query)]


def last_n(world: World) -> int:
    """The number of the latest change."""
    return int(world.call_control("GET", "/changes?from=now")["next"])


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_everything_that_happens_is_one_list(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped")
    order = created(partner.create_order())["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.change_settings(strict_bodies=True)
    world.advance("1h")
    assert told(world) == [
        ("call", "POST /api/external/webhooks: 201"),
        ("call", "POST /api/external/team-orders: 201"),
        ("mail", "claim_link to bo@example.com: Ada has a gift for you"),
        ("control", "Claim a gift as a recipient, by entering an address"),
        ("event", f"team_order.claimed: team_order {order} recipient 200001"),
        ("control", "Change settings, all or none"),
        ("delivery", f"team_order.claimed, attempt 1 to https://{WEBHOOK_HOST}/gifts: delivered 200"),
        ("clock", "the clock was advanced from 2027-01-04T09:00:00Z to 2027-01-04T10:00:00Z, 1 timers fired"),
    ]


def test_calls_and_deliveries_say_how_they_ended(world: World, partner: PartnerClient) -> None:
    def ended() -> list[tuple[str, Any, Any]]:
        rows = [row for row in changes(world) if "status" in row]
        return [(row["kind"], row.get("outcome"), row["status"]) for row in rows]

    partner.subscribe("team_order.claimed")
    world.call_control("POST", "/faults", {"effect": {"drop": "after"}, "when": {"first": 1}})
    with pytest.raises(ConnectionError):
        partner.create_order()
    partner.get("/team-orders/99999")
    world.set_receiver(script=[{"timeout": True}])
    world.call_control("POST", "/endpoints/1/test")
    world.set_receiver(mode="hold")
    world.call_control("POST", "/endpoints/1/test")
    told = [("call", None, 201), ("call", None, None), ("call", None, 404), ("delivery", "timeout", None)]
    assert ended() == [*told, ("delivery", None, None)]
    world.call_control("POST", "/deliveries/2/answer", {"status": 503})
    assert ended() == [*told, *[("delivery", "http_status", 503)] * 2]


def test_every_change_has_a_number_an_instant_and_its_subject(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("4d")
    listed = world.call_control("GET", "/changes")["changes"]
    assert [change["n"] for change in listed] == list(range(1, len(listed) + 1))
    assert [change["at"] for change in listed] == sorted(change["at"] for change in listed)
    by_kind = {change["kind"]: change["subject"] for change in listed}
    assert by_kind == {
        "call": {"kind": "call", "id": 1},
        "mail": {"kind": "mail", "id": 1},
        "control": None,
        "event": {"kind": "event", "id": world.events()[-1]["id"]},
        "timer": {"kind": "team_order", "id": order},
        "clock": None,
    }


def test_timers_say_why_they_fired(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("4d")
    timers = [each["summary"] for each in world.call_control("GET", "/changes")["changes"] if each["kind"] == "timer"]
    assert timers[0] == f"shipment.produce: team_order {order} recipient 200001, production starts"


def test_a_claim_on_the_page_is_a_change_of_its_order(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(return_claim_links=True))
    assert world.claim(order["recipients"][0]["claim"]["link"].rsplit("/", 1)[1]).status == 200
    claim = next(change for change in changes(world) if change["kind"] == "claim")
    assert claim["subject"] == {"kind": "team_order", "id": order["team_order"]["id"]}


def test_refused_and_dropped_calls_and_their_faults_are_told(world: World, partner: PartnerClient) -> None:
    fault = world.add_fault({"drop": "before"})
    with pytest.raises(ConnectionError):
        partner.get("/team-orders")
    world.call_control("DELETE", f"/faults/{fault}")
    partner.get("/no-such-thing")
    assert told(world)[1:] == [
        ("call", "GET /api/external/team-orders: no response"),
        ("fault", f"{fault} acted"),
        ("control", "Delete a fault and release the calls it holds"),
        ("call", "GET /api/external/no-such-thing: 404"),
    ]


def test_a_refused_action_changes_nothing(world: World) -> None:
    world.control.post(f"/worlds/{world.id}/simulate/shipment", {"order_id": 1, "to": "shipped"})
    assert changes(world) == []


def test_no_secret_is_told(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders?access_token=secret-token")
    assert "secret-token" not in str(changes(world))


def test_reading_changes_no_fingerprint(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    before = world.fingerprint()
    changes(world)
    assert world.fingerprint() == before


def test_the_list_is_read_in_pages(world: World, partner: PartnerClient) -> None:
    for _ in range(5):
        partner.get("/team-orders")
    first = world.call_control("GET", "/changes?limit=3")
    rest = world.call_control("GET", f"/changes?after={first['next']}")
    end = world.call_control("GET", f"/changes?after={rest['next']}")
    assert [change["n"] for change in first["changes"] + rest["changes"]] == [1, 2, 3, 4, 5]
    assert end == {"changes": [], "next": 5, "dropped": 0}


def test_a_restore_takes_back_what_was_told(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.call_control("POST", "/snapshots", {"name": "before"})
    saved, order = last_n(world), partner.create_order()
    end = last_n(world)
    world.call_control("POST", "/snapshots/before/restore")
    (rewound,) = changes(world, f"&after={end}")
    assert (rewound["kind"], rewound["n"], rewound["to"]) == ("rewound", end + 1, saved)
    assert [change["n"] for change in changes(world)] == [*range(1, saved + 1), end + 1]
    assert order.status == 201


def test_two_snapshots_restored_in_turn_take_back_all_that_may_differ(world: World, partner: PartnerClient) -> None:
    for name in ("first", "second"):
        partner.create_order(idempotency_key=name)
        world.call_control("POST", "/snapshots", {"name": name})
    world.call_control("POST", "/snapshots/first/restore")
    world.call_control("POST", "/snapshots/second/restore")
    assert [(change["n"], change["to"]) for change in changes(world)] == [(8, 0)]


def test_an_undo_takes_back_the_calls_and_what_followed(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    kept = last_n(world)
    order = created(partner.create_order())["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("2h")
    end = last_n(world)
    world.call_control("POST", "/undo", {})
    (rewound,) = changes(world, f"&after={end}")
    assert (rewound["n"], rewound["kind"], rewound["to"]) == (end + 1, "rewound", kept)
    partner.create_order()
    assert [kind for kind, _ in told(world, f"&after={end + 1}")] == ["call", "mail"]


def test_a_reset_takes_back_everything_and_the_numbers_go_on(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    end = last_n(world)
    world.call_control("POST", "/reset")
    (rewound,) = changes(world)
    assert (rewound["n"], rewound["to"]) == (end + 1, 0)
    partner.create_order()
    assert last_n(world) == end + 3


def test_a_fork_has_changes_of_its_own(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    fork = world.call_control("POST", "/fork", {})["id"]
    assert world.json_of(world.control.get(f"/worlds/{fork}/changes")) == {"changes": [], "next": 0, "dropped": 0}


def test_dropped_changes_are_told_to_who_asks_for_them(world: World, partner: PartnerClient) -> None:
    run_time = world.simulator.registry.worlds[world.id]
    run_time.changes = Changes(run_time.state, run_time.changes.added, max_entries=3)
    for _ in range(5):
        partner.get("/team-orders")
    page = world.call_control("GET", "/changes?after=1")
    assert [(change["kind"], change["n"]) for change in page["changes"]] == [
        ("dropped", 2), ("call", 3), ("call", 4), ("call", 5),
    ]  # fmt: skip
    assert (page["dropped"], page["next"]) == (2, 5)
    assert [change["n"] for change in changes(world)] == [3, 4, 5]


def test_a_client_with_numbers_of_another_life_is_told_to_begin_again(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    page = world.call_control("GET", "/changes?after=500")
    assert [(change["kind"], change["n"], change.get("to")) for change in page["changes"]] == [
        ("rewound", 0, 0), ("call", 1, None),
    ]  # fmt: skip
    assert page["next"] == 1


def test_a_call_waits_for_the_next_change(world: World, partner: PartnerClient) -> None:
    waiting = ConcurrentCalls([lambda: world.call_control("GET", "/changes?from=now&wait=30")])
    runtime = world.simulator.registry.runtime
    wait_until(lambda: runtime.waiters.watchers == 1)
    partner.get("/team-orders")
    (page,) = waiting.results()
    assert [change["kind"] for change in page["changes"]] == ["call"]


def test_a_wait_ends_with_its_world(world: World) -> None:
    waiting = ConcurrentCalls([lambda: world.control.get(f"/worlds/{world.id}/changes?wait=30")])
    runtime = world.simulator.registry.runtime
    wait_until(lambda: runtime.waiters.watchers == 1)
    world.call_control("DELETE", "")
    (answer,) = waiting.results()
    assert status_and_code(answer) == (409, "world_gone")


def test_a_wait_without_change_ends_empty(world: World) -> None:
    assert world.call_control("GET", "/changes?wait=1") == {"changes": [], "next": 0, "dropped": 0}


@pytest.mark.parametrize("query", ["after=-1", "wait=61", "from=end", "from=now&after=1", "since=3"])
def test_a_wrong_parameter_is_refused(world: World, query: str) -> None:
    assert status_and_code(world.control.get(f"/worlds/{world.id}/changes?{query}")) == (400, "invalid_parameter")


def test_the_header_of_a_reconnect_comes_before_the_query(world: World, partner: PartnerClient) -> None:
    for _ in range(3):
        partner.get("/team-orders")
    path = f"/worlds/{world.id}/changes?from=now"
    page = world.control.get(path, Last_Event_ID="2").json()
    assert [change["n"] for change in page["changes"]] == [3]
    assert status_and_code(world.control.get(path, Last_Event_ID="two")) == (400, "invalid_parameter")


def test_a_client_in_this_process_gets_the_list(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    page = world.control.get(f"/worlds/{world.id}/changes", Accept="text/event-stream").json()
    assert [change["kind"] for change in page["changes"]] == ["call"]


def test_a_recovered_world_counts_from_one_again(tmp_path: Path) -> None:
    restartable = RestartableSimulator(tmp_path / "journal")
    restartable.order("first")
    restartable.call_control("POST", "/clock/advance", {"by": "1h"})
    end = restartable.call_control("GET", "/changes")["next"]
    restartable.restart()
    assert restartable.call_control("GET", "/changes") == {"changes": [], "next": 0, "dropped": 0}
    assert restartable.call_control("GET", f"/changes?after={end}")["changes"][0]["kind"] == "rewound"
    restartable.order("second")
    listed = restartable.call_control("GET", "/changes")["changes"]
    assert [(change["n"], change["kind"]) for change in listed] == [(1, "call"), (2, "mail")]
    restartable.simulator.close()
