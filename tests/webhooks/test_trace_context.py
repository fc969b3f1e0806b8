"""W3C trace context: the app's trace goes on in the webhooks that follow from its calls (G484)."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.webhooks.trace_context import read_context
from giftsim.workbench.scenario import load_scenario, play
from tests.support.http_receiver import OK_RESPONSE, http_receiver, respond_always
from tests.support.orders import order_body
from tests.support.partner.webhooks import fail_host
from tests.support.worlds import World

TRACE, OTHER = "0af7651916cd43dd8448eb211c80319c", "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"
STATE = "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered")


def order(world: World, key: str, **headers: str) -> Any:
    """An order for Bo by a call with these headers."""
    sent = {**world.credentials["partner.prepaid"]["headers"], **headers}
    body = order_body(idempotency_key=key)
    answer = world.client.call("POST", "/api/external/team-orders", body=body, headers=sent)
    assert answer.status == 201, answer.text
    return world.partner().read_order(answer)


def claim(world: World, made: Any) -> None:
    """Let Bo claim."""
    world.simulate("claim", team_order_id=made["team_order"]["id"], recipient=0)


def sent_headers(world: World) -> list[dict[str, str]]:
    """The headers of each webhook so far."""
    return [row["request"]["headers"] for row in world.deliveries()]


def live_through(world: World, **headers: str) -> list[dict[str, str]]:
    """The headers of the webhooks of an order that is claimed, shipped and delivered."""
    world.partner().subscribe(*EVENTS)
    made = order(world, "one", **headers)
    claim(world, made)
    world.advance("10d")
    return sent_headers(world)


def test_the_webhooks_of_an_order_are_spans_of_the_trace_of_the_call_that_made_it(world: World) -> None:
    found = live_through(world, traceparent=PARENT, tracestate=STATE)
    assert [headers["X-Service-Event"] for headers in found] == list(EVENTS)
    parts = [headers["traceparent"].split("-") for headers in found]
    assert {(version, trace, flags) for version, trace, _, flags in parts} == {("00", TRACE, "01")}
    assert len({span for _, _, span, _ in parts} | {"b7ad6b7169203331"}) == 4
    assert {headers["tracestate"] for headers in found} == {STATE}


def test_without_a_trace_nothing_is_kept_and_nothing_is_sent(world: World) -> None:
    assert not any("traceparent" in headers or "tracestate" in headers for headers in live_through(world))
    assert not world.simulator.registry.worlds[world.id].state.table("webhooks.traced").next_n


def test_each_order_has_the_trace_of_its_own_call(world: World) -> None:
    world.partner().subscribe(*EVENTS)
    first = order(world, "one", traceparent=PARENT)
    plain = order(world, "two")
    second = order(world, "three", traceparent=f"00-{OTHER}-b7ad6b7169203331-00")
    for made in (second, plain, first):
        claim(world, made)
    world.advance("10d")
    traces: dict[int, set[tuple[str, str]]] = {}
    for row in world.deliveries():
        parent = row["request"]["headers"].get("traceparent", "")
        subject = json.loads(row["request"]["body"])["data"]["team_order"]["id"]
        traces.setdefault(subject, set()).add((parent[3:35], parent[-2:]))
    ids = [made["team_order"]["id"] for made in (first, plain, second)]
    assert [traces[each] for each in ids] == [{(TRACE, "01")}, {("", "")}, {(OTHER, "00")}]


def test_a_receiver_outside_gets_the_headers_that_the_list_shows(world: World) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        shown = live_through(world, traceparent=PARENT, tracestate=STATE)
    sent = [dict(line.split(": ", 1) for line in text.decode().split("\r\n")[1:8]) for text in receiver.requests]
    assert [(each["traceparent"], each["tracestate"]) for each in sent] == [
        (each["traceparent"], each["tracestate"]) for each in shown
    ]


def test_each_attempt_is_a_span_of_its_own(world: World) -> None:
    fail_host(world)
    found = live_through(world, traceparent=PARENT)
    assert len(found) > 20
    assert len({headers["traceparent"] for headers in found}) == len(found)


def test_a_ping_is_part_of_the_trace_of_its_call(world: World) -> None:
    endpoint = world.partner().subscribe(*EVENTS)
    headers = {**world.credentials["partner.prepaid"]["headers"], "traceparent": PARENT}
    path = f"/api/external/webhooks/{endpoint['endpoint']['id']}/test"
    assert world.client.call("POST", path, body={}, headers=headers).status in (200, 202)
    assert sent_headers(world)[0]["traceparent"].startswith(f"00-{TRACE}-")


@pytest.mark.parametrize(
    "text",
    [
        "",
        PARENT.upper(),
        f"ff-{TRACE}-b7ad6b7169203331-01",
        f"00-{'0' * 32}-b7ad6b7169203331-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"{PARENT}-more",
        f"{PARENT}, {PARENT}",
        f"01-{TRACE}-b7ad6b7169203331-01more",
        f"00-{TRACE}-b7ad6b7169203331",
        f"{PARENT}\n",
    ],
)
def test_an_invalid_traceparent_is_ignored(text: str) -> None:
    assert read_context({"HTTP_TRACEPARENT": text, "HTTP_TRACESTATE": STATE}) is None


def test_of_a_later_version_what_is_known_is_read() -> None:
    found = read_context({"HTTP_TRACEPARENT": f"cc-{TRACE}-b7ad6b7169203331-ff-more"})
    assert found == (TRACE, "03", "")


@pytest.mark.parametrize(
    ("text", "passed_on"),
    [
        (STATE, STATE),
        (" a=1 ,, b@c=2", "a=1,b@c=2"),
        ("a=1,a=2", ""),
        ("A=1", ""),
        ("a", ""),
        ("a=1\u00e9", ""),
        (",".join(f"k{n}=1" for n in range(33)), ""),
    ],
)
def test_an_invalid_tracestate_is_left_out(text: str, passed_on: str) -> None:
    found = read_context({"HTTP_TRACEPARENT": PARENT, "HTTP_TRACESTATE": text})
    assert found == (TRACE, "01", passed_on)


def test_a_journal_file_and_a_recording_send_the_same_traces_again(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with closing(Simulator(journal=journal, checkpoint_every=3)) as simulator:
        world = World(simulator, id="traced")
        live_through(world, traceparent=PARENT, tracestate=STATE)
        before, deliveries, recording = world.fingerprint(), world.deliveries(), world.recording
    with closing(Simulator(journal=journal, checkpoint_every=3)) as simulator:
        answers = [
            simulator.client.call("GET", f"/_sim/v1/worlds/traced/{part}").json()
            for part in ("fingerprint", "deliveries?limit=1000")
        ]
        assert (answers[0]["sha256"], answers[1]["deliveries"]) == (before, deliveries)
        assert play(load_scenario(recording), simulator.client).outcome == "passed"


def test_an_undone_call_leaves_no_trace(world: World) -> None:
    world.partner().subscribe(*EVENTS)
    before = world.fingerprint()
    order(world, "one", traceparent=PARENT)
    world.call_control("POST", "/undo", {})
    assert world.fingerprint() == before
