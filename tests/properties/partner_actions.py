"""A Hypothesis state machine of actions by partners, recipients, the outside world and the clock."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from giftsim.engine.client.response import Response
from giftsim.engine.kernel.instants import DAY, format_instant, parse_instant
from tests.properties.branch import Branch
from tests.properties.partner_choices import (
    ANSWERED,
    CREDIT_CENTS,
    HOSTS,
    KEYS,
    KINDS,
    SPANS,
    account_changes,
    address_orders,
    events,
    faults,
    link_orders,
    places,
    receiver_entries,
)
from tests.properties.world_checks import WorldCheck, check_deliveries
from tests.support.api_clients import PartnerClient
from tests.support.orders import order_body
from tests.support.worlds import World


class PartnerActions(RuleBasedStateMachine):
    """Actions on one branch of a world, which is checked after each step. All branches send the same requests."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.branch = Branch(world)
        self.branches = [self.branch]
        self.sent: list[tuple[str, dict[str, Any]]] = []

    @property
    def world(self) -> World:
        return self.branch.world

    @property
    def seen(self) -> WorldCheck:
        """The partners' records, as the last check saw them."""
        assert self.branch.last_check
        return self.branch.last_check

    @property
    def clients(self) -> Mapping[str, PartnerClient]:
        return self.branch.partners

    @initialize(
        cards=st.tuples(*[st.sampled_from(("none", "good", "declined"))] * 2),
        wallet=st.integers(0, 60_000),
        shapes=st.tuples(link_orders, address_orders, link_orders),
    )
    def set_up(self, cards: tuple[str, str], wallet: int, shapes: tuple[dict[str, Any], ...]) -> None:
        """Set up accounts with some money, an endpoint for each, and a first order."""
        self.prepare(cards, wallet)
        for key, shape in zip(KEYS, shapes, strict=True):
            self.create(key, shape, None, None)

    def prepare(self, cards: tuple[str, str] = ("good", "good"), wallet: int = 50_000) -> None:
        """Give the accounts money, and each an endpoint."""
        self.world.change_account(KEYS[0], wallet_cents=wallet, card=cards[0])
        self.world.change_account(KEYS[1], wallet_cents=wallet // 2, card="good")
        self.world.change_account(KEYS[2], credit_limit_cents=CREDIT_CENTS, card=cards[1])
        for key in KEYS:
            self.clients[key].subscribe(*KINDS, host=HOSTS[0])

    @rule(key=st.sampled_from(KEYS), shape=link_orders, event=events, fault=faults)
    def order_by_link(self, key: str, shape: dict[str, Any], event: dict[str, Any] | None, fault: str | None) -> None:
        """Create an order whose recipients enter their addresses."""
        self.create(key, shape, event, fault)

    @rule(key=st.sampled_from(KEYS), shape=address_orders, event=events, fault=faults)
    def order_with_addresses(
        self, key: str, shape: dict[str, Any], event: dict[str, Any] | None, fault: str | None
    ) -> None:
        """Create an order with addresses."""
        self.create(key, shape, event, fault)

    def create(self, key: str, shape: dict[str, Any], event: dict[str, Any] | None, fault: str | None) -> None:
        """Create an order with a new idempotency key."""
        if event:
            date = format_instant(parse_instant(self.world.now) + event["days"] * DAY)[:10]
            shape = {**shape, "event": {"date": date, "rush": event["rush"], "kit_assembly": event["kit_assembly"]}}
        number = str(len(self.sent))
        body = order_body(idempotency_key=number, reference=number, return_claim_links=True, **shape)
        self.sent.append((key, body))
        self.send(len(self.sent) - 1, fault)

    @precondition(lambda self: self.sent)
    @rule(place=places, fault=faults)
    def repeat(self, place: int, fault: str | None) -> None:
        """Send a request again: it is replayed, or charged again."""
        self.send(place % len(self.sent), fault)

    def send(self, number: int, fault: str | None) -> None:
        """Send a request. Once its response was 201, it is always the same 201.

        A request that was never paid may name an event whose date has passed by now.
        """
        (key, body), paid = self.sent[number], self.branch.holdings.paid
        headers = {"X_Sim_Fault": fault} if fault else {}
        try:
            response = self.clients[key].post("/team-orders", body, **headers)
        except ConnectionError:
            return
        if response.status == 400 and number not in paid:
            assert response.json()["error"]["code"] == "invalid_event", response.text
            return
        assert response.status in ANSWERED, response.text
        if response.status == 201:
            created = response.body.replace(self.world.id.encode(), b"{w}")  # claim links of forks name the fork
            assert paid.get(number, created) == created
            self.branch.hold(paid={**paid, number: created})
        elif number in paid:
            assert response.status == 503

    @rule(place=places, by=st.sampled_from(("link", "account", "shared")))
    def claim(self, place: int, by: str) -> None:
        """Claim for a recipient, by link or by the account."""
        parcels = [row for row in self.seen.parcels if row["status"] in ("awaiting", "expired")]
        if not parcels:
            return
        parcel = parcels[place % len(parcels)]
        order = self.seen.orders[parcel["team_order_id"]]
        link = {"link": parcel["claim_link"], "shared": order["shared_claim_link"]}.get(by)
        body = (
            {"team_order_id": order["id"], "recipient_id": parcel["recipient_id"]} if link is None else {"token": link}
        )
        self.verb("claim", **body)

    @precondition(lambda self: self.sent)
    @rule(place=places, rows=st.none() | st.sets(st.integers(0, 3), min_size=1))
    def cancel(self, place: int, rows: set[int] | None) -> None:
        """Cancel all recipients of an order, or some of them."""
        orders = list(self.seen.orders.values())
        if not orders:
            return
        order = orders[place % len(orders)]
        ids = [row["recipient_id"] for row in self.seen.parcels if row["team_order_id"] == order["id"]]
        body = {} if rows is None else {"recipient_ids": sorted(ids[row % len(ids)] for row in rows)}
        response = self.clients[order["key"]].post(f"/team-orders/{order['id']}/cancel", body)
        assert response.status in (200, 409), response.text
        if response.status == 200:
            result = response.json()
            assert result["refunded_cents"] == sum(row["refund"]["total_cents"] for row in result["canceled"])
            assert all(row["refund"]["total_cents"] == 0 for row in result["canceled"] if not row["was_paid"])

    @rule(span=st.sampled_from(SPANS))
    def wait(self, span: str) -> None:
        """Advance by a span."""
        self.world.advance(span)

    @rule()
    def wait_until_next_timer(self) -> None:
        """Advance to the next timer."""
        self.world.advance(until="next")

    @rule(outcome=st.sampled_from(("paid", "failed")))
    def resolve(self, outcome: str) -> None:
        """Resolve every charge with an unknown outcome."""
        for payment in self.seen.payments:
            if payment["status"] == "sent":
                settlement = payment["purpose"] == "settlement"
                named = {"key": payment["key"]} if settlement else {"team_order_id": payment["team_order_id"]}
                self.world.simulate("outcome", **named, outcome=outcome)

    @rule(choice=st.sampled_from(("never", "paid", "failed")))
    def reconcile(self, choice: str) -> None:
        """Change how the hourly run resolves unknown charges."""
        self.world.change_settings(partner__reconcile_unknown=choice)

    @rule(amount=st.none() | st.integers(1, 9_000), fault=st.sampled_from((None, None, "crash=after_charge")))
    def settle(self, amount: int | None, fault: str | None) -> None:
        """Settle what net terms owe, by card."""
        headers = {"X_Sim_Fault": fault} if fault else {}
        try:
            response = self.clients[KEYS[2]].post(
                "/billing/settle", {"amount_cents": amount} if amount else {}, **headers
            )
        except ConnectionError:
            return
        assert response.status in (200, 400, 402, 409), response.text

    @rule(key=st.sampled_from(KEYS), choices=account_changes)
    def change_account(self, key: str, choices: dict[str, Any]) -> None:
        """Change the wallet, the card or the daily limit."""
        self.world.change_account(key, **choices)

    @rule(place=places, to=st.sampled_from(("in_production", "labeled", "shipped", "delivered", "delayed", "rejected")))
    def ship(self, place: int, to: str) -> None:
        """Move a parcel."""
        parcels = self.seen.parcels
        if parcels:
            self.verb("shipment", order_id=parcels[place % len(parcels)]["order_id"], to=to)

    @rule(place=places)
    def remind(self, place: int) -> None:
        """Send a recipient a new claim link."""
        parcels = self.seen.parcels
        if parcels:
            parcel = parcels[place % len(parcels)]
            self.verb(
                "claim_link", team_order_id=parcel["team_order_id"], recipient_id=parcel["recipient_id"], resend=True
            )

    @rule(key=st.sampled_from(KEYS), place=st.integers(1, 3), host=st.sampled_from(HOSTS), entry=receiver_entries)
    def change_receivers(self, key: str, place: int, host: str, entry: dict[str, Any]) -> None:
        """Change a receiver, add an endpoint, and delete another if there is one."""
        client = self.clients[key]
        if "outage" in entry:
            begin, end = (format_instant(parse_instant(self.world.now) + days * DAY) for days in entry["outage"])
            entry = {"outage": {"from": begin, "to": end}}
        self.world.set_receiver(host, **entry)
        response = client.post("/webhooks", {"url": f"https://{HOSTS[1]}/gifts", "events": KINDS[:place]})
        assert response.status in (201, 400, 409, 503), response.text
        endpoints = client.get("/webhooks").json()["endpoints"]
        if place < len(endpoints) - 1:
            assert client.delete(f"/webhooks/{endpoints[place]['id']}").status == 200

    @rule(seq=st.integers(1, 20), missing=st.booleans())
    def change_sending(self, seq: int, missing: bool) -> None:
        """Resend an attempt, and stop or resume sending."""
        self.world.control.post(f"/worlds/{self.world.id}/deliveries/{seq}/resend")
        self.world.call_control("DELETE", "/faults")
        if missing:
            self.world.add_fault({"signing_key": "missing"})

    def verb(self, name: str, **body: Any) -> Response:
        """Call a verb of the outside world; it may be refused."""
        response = self.world.control.post(f"/worlds/{self.world.id}/simulate/{name}", body)
        assert response.status in (200, 409, 410), response.text
        return response

    @invariant()
    def check(self) -> None:
        """Check the world, and its changes since the last check."""
        check = WorldCheck(self.world)
        check.check()
        if self.branch.last_check:
            check.check_since(self.branch.last_check)
        self.branch.last_check = check
        self.check_paid_orders(check)
        for client in self.clients.values():
            listed = client.get("/webhooks").json()["endpoints"]
            details = [client.get(f"/webhooks/{row['id']}").json() for row in listed]
            check_deliveries(details, listed)

    def check_paid_orders(self, check: WorldCheck) -> None:
        """Check that a request has at most one order, and a paid one exactly that of its response."""
        ids = {order["reference"]: order_id for order_id, order in check.orders.items()}
        assert len(ids) == len(check.orders)
        for number, body in self.branch.holdings.paid.items():
            assert ids[str(number)] == json.loads(body)["team_order"]["id"]

    def teardown(self) -> None:
        """Let every branch go to its end, unless the run has failed."""
        if sys.exc_info()[0] is None:
            for branch in self.branches:
                self.branch = branch
                self.end()

    def end(self) -> None:
        """Resolve unknown charges, remove faults and advance 400 days: every record ends in a final state."""
        self.world.call_control("DELETE", "/faults")
        self.resolve("paid")
        self.world.advance("400d")
        self.check()
        assert {row["status"] for row in self.seen.payments} <= {"paid", "failed"}
        for parcel in self.seen.parcels:
            paid = self.seen.orders[parcel["team_order_id"]]["paid_at"]
            assert not paid or parcel["status"] in ("delivered", "delayed", "rejected", "expired", "canceled")
        for key, client in self.clients.items():
            listed = client.get("/webhooks").json()["endpoints"]
            assert [row["pending_count"] for row in listed if row["pending_count"]] == []
            self.check_events_were_delivered(key, client)

    def check_events_were_delivered(self, key: str, client: PartnerClient) -> None:
        """Check that the first endpoint got each event of its account once."""
        first = client.get("/webhooks").json()["endpoints"][0]["id"]
        deliveries = client.get(f"/webhooks/{first}").json()["deliveries"]
        delivered = {row["event_id"] for row in deliveries}
        assert delivered <= {row["id"] for row in self.seen.events}
        if len(deliveries) < 50 and self.branch.complete:
            account = next(row["account_id"] for row in self.seen.accounts.values() if key in row["keys"])
            assert delivered == {row["id"] for row in self.seen.events if row["account_id"] == account}
