"""Calls to a world that the model of the team interface makes too, and the comparison of the two."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import invariant

from giftsim import Simulator
from tests.models import team_views as views
from tests.models.compare import assert_same
from tests.models.team import Team
from tests.models.team_bank import Bank
from tests.models.team_campaigns import Campaign
from tests.models.team_money import Payment, Refused
from tests.models.team_sends import Approval, Gift, Order, email_of
from tests.models.team_statement import instant
from tests.models.world import Answer, ModelMachine

R = TypeVar("R")
API = "/api/teams/v1"
LIVE = "team.live_approver"
IGNORED = ("webhook_id", "team_id")  # of `balance.low`


NAMES = {"team_order": "team_order_id", "gift": "gift_id", "large_campaign": "campaign_id"}
MOST = 7  # the highest place that a machine chooses
places = st.integers(0, MOST)


def pick(rows: Sequence[R], place: int, likely: Callable[[R], bool] = bool) -> R:
    """One of the rows, counted from the newest; seven times of eight a likely one, if there is any."""
    some = [row for row in rows if place < MOST and likely(row)] or rows
    return some[-1 - place % len(some)]


def typed(names: Sequence[str]) -> list[dict[str, str | None]]:
    """Typed recipients."""
    return [{"name": name, "email": email_of(name)} for name in names]


def compare_members(expected: Any, shown: Any, about: str) -> None:
    """Compare the members that the model knows, at every depth."""
    assert_same(expected, known_part(expected, shown), about)


def known_part(expected: Any, shown: Any) -> Any:
    """Of what is shown, the members that are expected."""
    if isinstance(expected, dict) and isinstance(shown, dict):
        return {name: known_part(expected[name], shown[name]) for name in expected if name in shown}
    if isinstance(expected, list) and isinstance(shown, list) and len(expected) == len(shown):
        return [known_part(*pair) for pair in zip(expected, shown, strict=True)]
    return shown


class TeamComparison(ModelMachine):
    """A world and a model of its team."""

    team: Team
    sandbox: Team  # of the key `team.test`
    money: Bank

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator)
        self.calls = self.seen = self.compared = self.mailed = 0
        self.last: tuple[str, str, Any, str] = ("", "", None, "")
        self.lost: list[tuple[tuple[str, str, Any, str], Payment]] = []
        self.done: list[tuple[str, str, str, Any, str, Answer, int]] = []

    # Comparison

    @invariant()
    def compare(self) -> None:
        """Everything that the interface shows is what the model has."""
        self.compared += 1
        assert_same(views.balance(self.money), self._get("/billing/balance"), "the balance")
        assert_same(views.terms(self.money), self._get("/credit-terms"), "the terms")
        compare_members(views.statement(self.money), self._get(f"/statements/{self.money.month()}"), "the statement")
        self._compare_list("/approvals?limit=100", self.team.approvals, views.approval)
        self._compare_list("/invoices?limit=100", self.money.invoices, views.invoice)
        self._compare_list("/team-orders?limit=100", self.team.orders, views.order)
        self._compare_manifest()
        self._compare_list("/gifts?limit=50", self.team.gifts, views.gift)
        for gift in self.team.gifts:
            shown = self._get(f"/gifts/{gift.id.value}/timeline")["data"]
            compare_members(views.timeline(gift), shown, "the timeline of a gift")
        for campaign in self.team.campaigns:
            shown = self._get(f"/large-campaigns/{campaign.id.value}")
            compare_members(views.campaign(campaign) | views.recipients(campaign), shown, "a campaign")
        self._compare_list("/approvals?limit=100", self.sandbox.approvals, views.approval, "team.test")
        self._compare_list("/team-orders?limit=100", self.sandbox.orders, views.order, "team.test")
        self._compare_events()
        self._compare_mails()

    def _compare_list(
        self, path: str, records: Sequence[R], view: Callable[[R], dict[str, Any]], key: str = LIVE
    ) -> None:
        """Compare records with a list, which is newest first (A7.14). An empty one is read every fifth time."""
        if not records and self.compared % 5:
            return
        page = self._get(path, key)
        assert_same(len(records), len(page["data"]), f"the length of {path}")
        assert page["next_cursor"] is None
        for record, row in zip(reversed(records), page["data"], strict=True):
            compare_members(view(record), row, f"a row of {path}")

    def _compare_manifest(self) -> None:
        """Compare the CSV of the order whose turn it is."""
        if not self.team.orders:
            return
        order = self.team.orders[self.compared % len(self.team.orders)]
        path = f"{API}/team-orders/{order.id.value}/manifest.csv"
        text = self.world.client.call("GET", path, headers=self.world.credentials[LIVE]["headers"]).text
        compare_members(views.manifest(order), list(csv.DictReader(io.StringIO(text))), "a manifest")

    def _compare_events(self) -> None:
        """Each event is sent once, and arrives at the subscription at once (T-6.21, A6.3)."""
        rows = self.world.control("GET", f"/events?after={self.seen}&limit=1000").json["events"]
        self.seen += len(rows)
        shown = [
            (row["type"], {name: row["data"].get(name) for name in row["data"] if name not in IGNORED}) for row in rows
        ]
        expected = [(each.kind, views.event(each)) for each in (*self.team.events, *self.sandbox.events)]
        assert_same(sorted(expected, key=repr), sorted(shown, key=repr), "the events")
        assert all(row["audience"] == 1 and row["status"] == "delivered" for row in rows), rows
        self.team.events.clear()
        self.sandbox.events.clear()

    def _compare_mails(self) -> None:
        """Each link is mailed when it opens, and a sandbox mails nothing (A8.9, G61)."""
        rows = self.world.view(f"mail?after={self.mailed}")
        self.mailed += len(rows)
        expected = [(instant(at), to, kind) for at, to, kind in self.team.mails]
        assert_same(expected, [(row["at"], row["to"], row["kind"]) for row in rows], "the mails")
        self.team.mails.clear()

    # Calls

    def _send(self, key: str, path: str, body: Any, method: str = "POST", *, crash: bool = False) -> Answer:
        self.calls += 1
        number = f"k{self.calls}"
        fault = {"X_Sim_Fault": "crash=after_charge"} if crash else {}
        answer = self.world.call(key, method, API + path, body, Idempotency_Key=number, **fault)
        self.last = (key, path, body, number)
        if 200 <= answer.status < 300:
            self.done.append((method, key, path, body, number, answer, self.team.now))
        return answer

    def _agree(
        self, answer: Answer, act: Callable[[], R], view: Callable[[R], Any] | None = None, *, crash: bool = False
    ) -> None:
        """Let the model act: both refuse with the same status and code, or neither does. `view` is the answer's body.

        A call with the fault `crash` has no answer if it paid (A8.7).
        """
        payments = len(self.money.payments)
        try:
            record = act()
        except Refused as refusal:
            assert_same((refusal.status, refusal.code), (answer.status, answer.code), "the refusal")
            return
        if crash and len(self.money.payments) > payments:
            assert answer.status == 0, answer
            self.lost.append((self.last, self.money.payments[-1]))
            return
        assert 200 <= answer.status < 300, answer
        if view is not None:
            compare_members(view(record), answer.json, "the answer")

    def _get(self, path: str, key: str = LIVE) -> Any:
        answer = self.world.call(key, "GET", API + path)
        assert answer.status == 200, answer
        assert "@" not in str(answer.json), answer  # T-1.9
        return answer.json

    def _control(self, method: str, path: str, body: Any) -> None:
        answer = self.world.control(method, path, body)
        assert answer.status < 300, answer

    def _verb(self, verb: str, **body: Any) -> None:
        answer = self.world.verb(verb, **body)
        assert answer.status < 300, answer

    def _decide(self, held: Order | Gift | Campaign, decision: str, approval: Approval | None = None) -> None:
        named = {"approval_id": approval.id.value} if approval else {NAMES[held.kind]: held.id.value}
        answer = self.world.verb("approval", **named, decision=decision)

        def act() -> None:
            if decision == "ask":
                _ = held.pending or held.team.request_approval(held)
            elif approval:
                held.team.decide(approval, decision)
            else:
                held.team.decide_about(held, decision)

        self._agree(answer, act)
