"""In any small world each verdict about a webhook event says what a record of what was done says too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.support.orders import email_recipients
from tests.support.worlds import World
from tests.why.test_questions import why

ACCOUNTS: Final = ("partner.prepaid", "partner.net_terms")
TYPES: Final = ("team_order.claimed", "team_order.shipped", "team_order.delivered")
RECEIVERS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"then": {"status": 503}},
    {"then": {"timeout": True}},
    {"script": [{"status": 500}]},
)
OWN: Final = {
    "not_subscribed", "subscribed_late", "not_sourced", "captured", "refused_by_app", "no_answer_from_app",
    "arrived_out_of_order", "dropped_as_duplicate",
}  # fmt: skip
STEPS: Final = st.one_of(
    st.tuples(st.just("subscribe"), st.integers(0, 1), st.sets(st.sampled_from(TYPES), min_size=1)),
    st.tuples(st.just("disable"), st.integers(0, 3)),
    st.tuples(st.just("order"), st.integers(0, 1)),
    st.tuples(st.just("ship"), st.integers(0, 3)),
    st.tuples(st.just("receive"), st.integers(0, 3), st.sampled_from(RECEIVERS)),
    st.tuples(st.just("advance"), st.sampled_from(["20m", "1h", "3h", "2d"])),
    st.tuples(st.just("answer"), st.integers(0, 2), st.sampled_from([200, 204, 404, 500])),
)


class Kept:
    """What was done, kept beside the world: endpoints, who was subscribed to each event, and what an app answered."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.endpoints: list[dict[str, Any]] = []
        self.orders: list[tuple[int, str]] = []  # their ids and accounts
        self.subscribed: dict[str, list[dict[str, Any]]] = {}  # by the event's id
        self.made_before: dict[str, int] = {}  # the number of endpoints at an event
        self.answers: dict[int, int] = {}

    def do(self, step: tuple[Any, ...]) -> None:
        """Do a step, if there is something to do it to."""
        before = [dict(endpoint) for endpoint in self.endpoints]
        getattr(self, step[0])(*step[1:])
        for row in self.world.rows("events"):
            if row["id"] not in self.subscribed:
                account = dict(self.orders)[row["about"]["id"]]
                self.made_before[row["id"]] = len(before)
                self.subscribed[row["id"]] = [
                    each for each in before
                    if each["account"] == account and row["type"] in each["types"] and not each["disabled"]
                ]  # fmt: skip

    def subscribe(self, account: int, types: set[str]) -> None:
        host = f"h{len(self.endpoints)}.example"
        self.world.partner(ACCOUNTS[account]).subscribe(*sorted(types), host=host)
        new = {"n": len(self.endpoints) + 1, "account": ACCOUNTS[account], "types": types, "host": host}
        self.endpoints.append({**new, "disabled": False})

    def disable(self, n: int) -> None:
        if n < len(self.endpoints) and not self.endpoints[n]["disabled"]:
            endpoint = self.endpoints[n]
            partner = self.world.partner(endpoint["account"])
            assert partner.call("DELETE", f"/webhooks/{endpoint['n']}").status == 200
            endpoint["disabled"] = True

    def order(self, account: int) -> None:
        partner, key = self.world.partner(ACCOUNTS[account]), f"order-{len(self.orders)}"
        created = partner.create_order(recipients=email_recipients(1), idempotency_key=key)
        assert created.status == 201, created.text
        self.orders.append((created.json()["team_order"]["id"], ACCOUNTS[account]))
        self.world.simulate("claim", team_order_id=self.orders[-1][0], recipient=0)

    def ship(self, n: int) -> None:
        if n < len(self.orders):
            body = {"team_order_id": self.orders[n][0], "to": "shipped"}
            self.world.control.call("POST", f"/worlds/{self.world.id}/simulate/shipment", body)  # or it was shipped

    def receive(self, n: int, entry: Mapping[str, Any]) -> None:
        self.world.set_receiver(f"h{n}.example", **entry)

    def advance(self, by: str) -> None:
        self.world.advance(by)

    def answer(self, n: int, status: int) -> None:
        if n < len(self.world.rows("deliveries")):
            self.world.call_control("POST", f"/deliveries/{n + 1}/app-answer", {"status": status})
            self.answers[n + 1] = status

    def kinds(self, event: Mapping[str, Any]) -> set[str]:
        """The verdicts that an event must have."""
        subscribed = [self.endpoints[each["n"] - 1] for each in self.subscribed[event["id"]]]
        if not subscribed:
            account = dict(self.orders)[event["about"]["id"]]
            later = self.endpoints[self.made_before[event["id"]] :]
            is_late = any(each["account"] == account and event["type"] in each["types"] for each in later)
            return {"subscribed_late"} if is_late else {"not_subscribed"}
        attempts = [row for row in self.world.rows("deliveries") if row["event_id"] == event["id"]]
        found = set(self._ends(attempts))
        if event["status"] == "waiting" and not all(each["disabled"] for each in subscribed):
            found.add("not_sourced")
        is_dropped = event["status"] in ("waiting", "dropped") and all(each["disabled"] for each in subscribed)
        if is_dropped and not any(map(self.is_accepted, attempts)):
            found.add("not_subscribed")
        if attempts and all(row["outcome"] == "delivered" and row["seq"] not in self.answers for row in attempts):
            found.add("captured")
        return found

    def _ends(self, attempts: list[Any]) -> Iterator[str]:
        for host in {row["url"] for row in attempts}:
            own = [row for row in attempts if row["url"] == host]
            if not any(map(self.is_accepted, own)):
                has_status = own[-1]["outcome"] == "http_status" or own[-1]["seq"] in self.answers
                yield "refused_by_app" if has_status else "no_answer_from_app"

    def is_accepted(self, row: Mapping[str, Any]) -> bool:
        """Whether the app, or giftsim in its place, accepted an attempt."""
        return 200 <= self.answers.get(row["seq"], row["status"] or 0) < 300


@settings(max_examples=25)
@given(st.sampled_from(RECEIVERS), st.lists(STEPS, min_size=3, max_size=12), st.sampled_from(["20m", "1h", "3h"]))
def test_no_verdict_about_a_webhook_event_is_false_and_none_is_missing(
    receiver: Mapping[str, Any], steps: list[tuple[Any, ...]], rest: str
) -> None:
    simulator = Simulator(fixture="bare")
    try:
        world = World(simulator, fixture="empty")
        kept = Kept(world)
        first = [("subscribe", 0, {*TYPES[:2]}), ("receive", 0, receiver), ("order", 0)]
        for step in [*first, *steps, ("advance", rest), ("answer", 1, 500)]:
            kept.do(step)
        entries = world.control.get(f"/worlds/{world.id}/trace?format=json").json()["entries"]
        for event in world.rows("events"):
            verdicts = why(world, f"event:{event['id']}")
            assert {verdict["kind"] for verdict in verdicts} & OWN == kept.kinds(event), (event, verdicts)
            for verdict in verdicts:
                check_marks(verdict, entries, kept)
    finally:
        simulator.close()


def check_marks(verdict: Mapping[str, Any], entries: list[Any], kept: Kept) -> None:
    """The sentence names entries that are marks, says how many attempts there were, and which statuses they got."""
    sentence, marks = verdict["sentence"], {mark["entry"] for mark in verdict["marks"]}
    assert marks
    assert marks <= {entry["n"] for entry in entries}
    named = {
        int(n) for found in re.findall(r"\b(?:entry|entries) ([\d, …]+)", sentence) for n in re.findall(r"\d+", found)
    }
    assert named <= marks, sentence
    attempts = [entries[n - 1]["attempt"] for n in sorted(marks) if entries[n - 1]["kind"] == "attempt"]
    if match := re.search(r"(\d+) attempts to send", sentence):
        assert int(match[1]) <= len(attempts), sentence
    if verdict["kind"] == "refused_by_app":
        statuses = {kept.answers.get(each["seq"], each["status"]) for each in attempts}
        said = re.search(r"answered ([\d and]+) to", sentence)
        assert said is not None
        assert {int(status) for status in said[1].split(" and ")} <= statuses, sentence
