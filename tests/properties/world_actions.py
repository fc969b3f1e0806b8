"""One Hypothesis state machine across all interfaces, with clock, faults, forks, snapshots, undo, reset and restart.

It adds to the partners' actions those of a team and a museum, and all that moves a world to another state. Each branch
of the world has a model of what it holds (`branch.py`), which is compared after each step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from giftsim import Simulator
from tests.properties.partner_actions import PartnerActions
from tests.properties.partner_choices import HOSTS, KINDS, places
from tests.properties.traced_client import RESTART, TracedCall, TracedClient, scenario_of
from tests.support.api_clients import UNKNOWN_ID
from tests.support.orders import RENO
from tests.support.team.orders import EACH_CENTS, gift_body, order_body
from tests.support.worlds import ExistingWorld, World

MOST_BRANCHES = 3
CHECKPOINT_EVERY = 100  # lines of the journal file
NAMES = st.sampled_from(("one", "two"))

# Faults of the table. They match calls that may change something, so that reading changes nothing.
TABLE_FAULTS = st.sampled_from(
    (
        {"match": {"operation": "createTeamOrder"}, "when": {"first": 1}, "effect": {"status": 503}},
        {
            "match": {"operation": "createTeamOrder", "interface": "partner"},
            "when": {"every": 2},
            "effect": {"drop": "after"},
        },
        {"match": {"interface": "partner"}, "when": {"first": 1}, "effect": {"charge": "card_charge_failed"}},
        {"match": {"interface": "claim"}, "when": {"first": 1}, "effect": {"drop": "after"}},
        {"when": {"probability": 0.5}, "effect": {"webhook": "duplicate"}},
        {"match": {"event": "team_order.shipped"}, "when": {"every": 2}, "effect": {"webhook": "reorder"}},
        {"when": {"first": 2}, "effect": {"webhook": "bad_signature"}},
    )
)  # fmt: skip


class WorldActions(PartnerActions):
    """Actions on a world and its forks in a simulator with a journal file, which is restarted now and then."""

    def __init__(self, journal: Path) -> None:
        self.journal = journal
        self.simulator = self._start()
        self.traced = TracedClient(lambda: self.simulator.client)
        self.client: Any = self.traced
        super().__init__(World(cast(Simulator, self), id="first-world", fixture="empty"))
        self.first_balance = self._team_balance()
        self.traced.before_write = self._note_write

    def _start(self) -> Simulator:
        return Simulator(fixture="bare", journal=self.journal, checkpoint_every=CHECKPOINT_EVERY)

    def _note_write(self, method: str, path: str) -> None:
        self.branch.note_write(method, path)

    # The other interfaces

    @rule(count=st.integers(1, 2), kind=st.sampled_from(("gifts", "team_orders")))
    def prepare_for_team(self, count: int, kind: str) -> None:
        """Prepare a gift or an order, which awaits approval."""
        path, body = "/gifts", gift_body(count)
        if kind == "team_orders":
            path, body = "/team-orders", order_body(headcount=count, recipients=None)
        response = self.branch.team.post(path, body)
        if response.status == 201:
            held = getattr(self.branch.holdings, kind)
            self.branch.hold(**{kind: {**held, response.json()["id"]: 0}})
        else:
            assert response.status == 503, response.text

    @rule(place=places, decision=st.sampled_from(("approve", "approve", "reject")))
    def decide(self, place: int, decision: str) -> None:
        """Approve or reject a gift. Its price is paid once, from the team's balance."""
        gifts = self.branch.holdings.gifts
        if gifts:
            gift = list(gifts)[place % len(gifts)]
            response = self.verb("approval", gift_id=gift, decision=decision)
            if response.status == 200 and decision == "approve":
                many = len(self.branch.team.get_json(f"/gifts/{gift}")["recipients"])
                self.branch.hold(gifts={**gifts, gift: EACH_CENTS * many})

    @rule(general=st.booleans(), place=places)
    def buy_ticket(self, general: bool, place: int) -> None:
        """Buy a ticket to the museum, or to an event made before."""
        events = self.branch.holdings.events
        date = self.world.now[:10]
        members: dict[str, Any] = {"ticketType": "general", "ticketDate": date, "email": "todd@example.com"}
        if events and not general:
            members |= {"ticketType": "event", "eventId": events[place % len(events)]}
        response = self.branch.museum.post("/tickets", members)
        assert response.status == 201, response.text
        self.branch.hold(tickets=(*self.branch.holdings.tickets, response.json()["ticketId"]))

    @rule()
    def create_event(self) -> None:
        """Create an event of the museum."""
        event = self.branch.museum.create_event(dates=[self.world.now[:10]])["eventId"]
        self.branch.hold(events=(*self.branch.holdings.events, event))

    @precondition(lambda self: self.branch.holdings.events)
    @rule(place=places)
    def cancel_event(self, place: int) -> None:
        """Cancel an event of the museum."""
        events = self.branch.holdings.events
        event = events[place % len(events)]
        assert self.branch.museum.cancel_event(event).status == 204
        self.branch.hold(events=tuple(each for each in events if each != event))

    @rule(place=places)
    def claim_on_page(self, place: int) -> None:
        """Enter an address on the claim page of some parcel."""
        links = [row["claim_link"] for row in self.world.rows("parcels") if row["claim_link"]]
        if links:
            try:
                self.world.claim(links[place % len(links)].rsplit("/", 1)[1], address=RENO)
            except ConnectionError:
                return

    @rule(fault=TABLE_FAULTS)
    def add_fault(self, fault: dict[str, Any]) -> None:
        """Add a fault to the table."""
        self.world.call_control("POST", "/faults", fault)

    # Moves to another state

    @rule(name=NAMES)
    def save(self, name: str) -> None:
        """Save a snapshot."""
        self.branch.save(name)

    @precondition(lambda self: self.branch.snapshots)
    @rule(place=places)
    def restore(self, place: int) -> None:
        """Restore a snapshot."""
        names = sorted(self.branch.snapshots)
        self.branch.restore(names[place % len(names)])
        self._complete()

    @rule(count=st.integers(1, 3))
    def undo(self, count: int) -> None:
        """Undo client writes."""
        self.branch.undo(count)
        self._complete()

    @rule(counts=st.lists(st.integers(1, 3), min_size=1, max_size=3))
    def undo_and_redo(self, counts: list[int]) -> None:
        """Undo client writes, several times in a row, and bring all back."""
        self.branch.undo_and_redo(counts)
        self._complete()

    @rule()
    def reset(self) -> None:
        """Reset the branch."""
        self.branch.reset()
        self._complete()

    @precondition(lambda self: len(self.branches) < MOST_BRANCHES)
    @rule()
    def fork(self) -> None:
        """Fork the branch, and go on in the fork."""
        name = f"fork-{len(self.branches)}"
        self.world.call_control("POST", "/fork", {"id": name})
        self.branch = self.branch.forked(ExistingWorld(cast(Simulator, self), name))
        self.branches.append(self.branch)

    @precondition(lambda self: len(self.branches) > 1)
    @rule(place=places)
    def switch(self, place: int) -> None:
        """Go on in another branch, which is as it was left."""
        self.branch.left = self.branch.moment()
        self.branch = self.branches[place % len(self.branches)]
        assert self.branch.moment() == self.branch.left

    @rule()
    def restart(self) -> None:
        """End the simulator as a crash does, and start it with its journal file: every branch is as it was."""
        before = [branch.moment() for branch in self.branches]
        self.simulator.close()
        self.simulator = self._start()
        self.traced.trace.append(TracedCall(RESTART))
        for branch, moment in zip(self.branches, before, strict=True):
            assert branch.moment() == moment

    def _complete(self) -> None:
        """Give the accounts their endpoints again if what was taken back includes them."""
        for client in self.clients.values():
            if not client.get("/webhooks").json()["endpoints"]:
                client.subscribe(*KINDS, host=HOSTS[0])
                self.branch.complete = False

    # Checks

    @invariant()
    def check_team_and_museum(self) -> None:
        """Check that the branch holds what its model holds: gifts, orders, what was paid, tickets and events."""
        held, team, museum = self.branch.holdings, self.branch.team, self.branch.museum
        assert {gift["id"] for gift in team.list_all("/gifts")} == set(held.gifts)
        assert {order["id"] for order in team.list_all("/team-orders")} == set(held.team_orders)
        assert self._team_balance() == self.first_balance - sum(held.gifts.values())
        for ticket in (*held.tickets[-2:], UNKNOWN_ID):
            assert museum.get_qr(ticket).status == (404 if ticket == UNKNOWN_ID else 200)
        for event in held.events[-2:]:
            assert museum.get_event(event).status == 200

    def _team_balance(self) -> int:
        return int(next(row["balance_cents"] for row in self.world.rows("teams") if row["label"] == "northwind"))

    def teardown(self) -> None:
        """End every branch, and the simulator."""
        try:
            super().teardown()
        finally:
            self.simulator.close()

    def scenario(self) -> str:
        """The run as a scenario, with the calls of the branches in forks of its world."""
        return scenario_of(self.traced.trace, [branch.world for branch in self.branches])
