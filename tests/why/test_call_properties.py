"""After any calls, faults and waits, no verdict about calls, names or faults says what the world's own lists deny."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.workbench.scenario import load_scenario
from tests.support.worlds import World, temporary_world

ORDERS, GIFTS = "/api/external/team-orders", "/api/teams/v1/gifts"
PARTNERS: Final = ("partner.prepaid", "partner.net_terms")
EFFECTS: Final[Sequence[Mapping[str, Any]]] = (
    {"status": 503}, {"drop": "before"}, {"drop": "after"}, {"charge": "card_charge_failed"},
    {"status": 429, "retry_after": 5},
)  # fmt: skip
WHEN: Final[Sequence[Mapping[str, Any]]] = (
    {}, {"first": 1}, {"calls": [2]}, {"every": 2}, {"from": "2030-01-01T00:00:00Z"},
)  # fmt: skip
EXPECTED: Final = (None, "team_order.claimed", "delivered", "201", "gift.delivered")
FAILED: Final = (
    "assert 2 == 1", "assert 404 == 200", "expected a webhook team_order.claimed, found none",
    "AssertionError: expected 1 x team_order.claimed, found 2", "order-1 was made 2 times",
)  # fmt: skip
Moves = Sequence[tuple[int, int]]


class App:
    """What calls a world, and what happens to it meanwhile."""

    def __init__(self, world: World) -> None:
        self.world = world

    def call(self, method: str, path: str, credential: str, body: Any = None, **headers: str) -> None:
        """A call, whose answer may be lost."""
        sent = {**self.world.credentials[credential]["headers"], **headers}
        try:
            self.world.client.call(method, path, body=body, headers=sent)
        except ConnectionError:
            return


def _order(app: App, how: int) -> None:
    body = {
        "idempotency_key": f"key-{how % 3}",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    app.call("POST", ORDERS, PARTNERS[how % 2], body)


def _gift(app: App, how: int) -> None:
    body = {"recipients": [{"name": "Bo", "email": "bo@example.com"}], "gift": {"collection_slug": "welcome-kit"}}
    app.call("POST", GIFTS, "team.live_approver", body, **{"Idempotency-Key": f"gift-{how % 2}"})


def _read(app: App, how: int) -> None:
    app.call("GET", f"{ORDERS}/{1001 + how % 3}", PARTNERS[how % 2])


def _stranger(app: App, _: int) -> None:
    headers = {"Authorization": "Bearer pk_live_of_somebody", "X-Sim-World": app.world.id}
    app.world.client.call("GET", ORDERS, headers=headers)


def _fault(app: App, how: int) -> None:
    match: Sequence[Mapping[str, str]] = (
        {},
        {"operation": "createTeamOrder"},
        {"operation": "createTeamOrder", "credential": PARTNERS[how % 2]},
    )
    app.world.add_fault(EFFECTS[how % len(EFFECTS)], match=match[how % 3], when=WHEN[how // 2 % len(WHEN)])


def _subscribe(app: App, how: int) -> None:
    types = [["team_order.claimed"], ["team_order.claimed", "order.shipped"], ["order.delivered"]][how % 3]
    url = f"https://hooks.partner.example/{how % 2}"
    app.call("POST", "/api/external/webhooks", PARTNERS[how // 2 % 2], {"url": url, "events": types})


def _claim(app: App, how: int) -> None:
    body = {"team_order_id": 1001 + how % 3, "recipient": 0}
    app.world.control.post(f"/worlds/{app.world.id}/simulate/claim", body)


def _advance(app: App, how: int) -> None:
    app.world.advance(("30s", "2h", "2d", "10d")[how % 4])


def _limit(app: App, how: int) -> None:
    app.world.change_settings(**{"rate_limits.sandbox": 1 + how % 4})


_ACTS: Final[Sequence[Callable[[App, int], None]]] = (
    *(_order, _order, _order, _gift, _gift, _read, _read, _fault, _fault),
    *(_subscribe, _subscribe, _claim, _claim, _advance, _advance, _stranger, _limit),
)


class Lists:
    """What the control API lists, and the entries of the trace that verdicts mark."""

    def __init__(self, world: World) -> None:
        trace = world.control.get(f"/worlds/{world.id}/trace?format=json").json()
        self.entries = {entry["n"]: entry for entry in trace["entries"]}
        self.calls = {row["seq"]: row for row in world.rows("calls")}
        self.faults = {row["id"]: row for row in world.rows("faults")}
        self.events = {row["id"]: row for row in world.rows("events")}
        self.orders = {row["id"] for row in world.rows("orders")}

    def marked(self, verdict: Mapping[str, Any]) -> list[Any]:
        """The calls that a verdict marks, as the call log has them."""
        entries = [self.entries[mark["entry"]] for mark in verdict["marks"]]
        return [self.calls[entry["call"]["seq"]] for entry in entries if entry["kind"] == "call"]

    def marked_events(self, verdict: Mapping[str, Any]) -> list[Any]:
        """The events that a verdict marks, as the control API lists them."""
        entries = [self.entries[mark["entry"]] for mark in verdict["marks"]]
        return [self.events[entry["event"]["id"]] for entry in entries if entry["kind"] == "event"]


def status(call: Mapping[str, Any]) -> int | None:
    """What a call of the log was answered with."""
    return call["response"]["status"] if call["response"] is not None else None


def check_calls(lists: Lists, verdict: Mapping[str, Any]) -> None:
    """Fail unless a verdict about keys, limits and credentials is so."""
    calls = lists.marked(verdict)
    match verdict["kind"]:
        case "replayed":
            first, again = calls
            assert first["seq"] < again["seq"]
            assert (status(first), status(again)) == (201, 201), verdict
            assert again["response"]["headers"].get("Idempotent-Replayed") == "true", verdict
            assert again["response"]["body"] == first["response"]["body"], verdict
        case "key_forgotten":
            first, again = calls
            assert (status(first), status(again)) == (201, 201), verdict
            assert json.loads(first["response"]["body"])["id"] != json.loads(again["response"]["body"])["id"], verdict
            assert first["at"][:10] < again["at"][:10], verdict  # the key is remembered for a day
        case "rate_limited":
            assert [status(call) for call in calls] == [429], verdict
            assert calls[0].get("fault") is None, verdict
        case "other_world":
            assert [status(call) for call in calls] == [401], verdict
        case "charged_twice":
            assert len({str(call["response"]) for call in calls}) == 2, verdict


def check_faults(lists: Lists, verdict: Mapping[str, Any]) -> None:
    """Fail unless a verdict about faults is so."""
    name = re.search(r"the fault (fault-\d+)", verdict["sentence"])
    assert name is not None, verdict
    if verdict["kind"] == "fault_unused":
        assert lists.faults[name[1]]["hits"] == 0, verdict
        return
    call = lists.marked(verdict)[0]
    assert call["fault"] == name[1], verdict
    assert lists.faults[name[1]]["hits"] > 0, verdict
    assert "was answered" not in verdict["sentence"].partition(",")[0] or status(call) >= 400, verdict  # type: ignore[operator]
    later = [each for seq, each in lists.calls.items() if seq > call["seq"] and _request(each) == _request(call)]
    assert not any(200 <= (status(each) or 0) <= 299 for each in later), verdict
    assert ("not sent again" in verdict["sentence"]) == (not later), verdict


def _request(call: Mapping[str, Any]) -> tuple[Any, ...]:
    request = call["request"]
    body = request.get("body")
    if body:
        body = json.loads(body) if isinstance(body, str) else body
        body = {name: value for name, value in body.items() if name != "idempotency_key"}
    is_read = request["method"] == "GET"
    return request["method"], request["path"], call.get("credential") if is_read else None, body


def check_names(lists: Lists, verdict: Mapping[str, Any]) -> None:
    """Fail unless a verdict about accounts, types and numbers is so."""
    events = lists.marked_events(verdict)
    if verdict["kind"] == "other_type" and "no " not in verdict["sentence"][:3]:
        assert [event["audience"] for event in events] == [0], verdict
    if verdict["kind"] == "other_account" and events:
        assert [event["audience"] for event in events] == [0], verdict
    elif verdict["kind"] == "other_account":
        assert status(lists.marked(verdict)[-1]) == 404, verdict
        assert int(verdict["sentence"].partition(" made order ")[2].partition(" ")[0]) in lists.orders, verdict


_CHECKS: Final = {
    **dict.fromkeys(("replayed", "key_forgotten", "rate_limited", "other_world"), check_calls),
    **dict.fromkeys(("fault_unused", "changed_by_fault"), check_faults),
    **dict.fromkeys(("other_type", "other_account"), check_names),
}


def check(lists: Lists, verdict: Mapping[str, Any]) -> None:
    """Fail unless a verdict is so, with proof, and with a line to change it or the reason why there is none."""
    assert verdict["marks"], verdict
    assert all(mark["entry"] in lists.entries or mark["entry"] == len(lists.entries) + 1 for mark in verdict["marks"])
    assert (not any(verdict["mend"].values())) == (verdict["why_not"] is not None), verdict
    if step := verdict["mend"]["scenario"]:
        load_scenario(f"scenario: mended\nsteps:\n{step}\n")
    if (is_so := _CHECKS.get(verdict["kind"])) is not None:
        is_so(lists, verdict)


@settings(max_examples=10)
@given(
    st.lists(st.tuples(st.integers(0, len(_ACTS) - 1), st.integers(0, 11)), min_size=3, max_size=14),
    st.sampled_from(EXPECTED),
    st.sampled_from(FAILED),
)
def test_no_verdict_about_calls_names_or_faults_is_false_after_any_calls(
    simulator: Simulator, moves: Moves, expected: str | None, message: str
) -> None:
    with temporary_world(simulator) as world:
        app = App(world)
        for what, how in moves:
            _ACTS[what](app, how)
        lists = Lists(world)
        subjects = [f"call:{seq}" for seq in [*lists.calls][-2:]] + [f"order:{id_}" for id_ in [*lists.orders][:2]]
        for about in subjects:
            query = urlencode({"about": about, **({"expected": expected} if expected else {})})
            for verdict in world.call_control("GET", f"/why?{query}")["verdicts"]:
                check(lists, verdict)
        failed = {"id": "t", "outcome": "failed", "seconds": 0, "failure": {"message": message, "text": ""}}
        for verdict in world.call_control("POST", "/why", {"test": failed})["verdicts"]:
            check(lists, verdict)
