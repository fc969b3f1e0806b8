"""A Hypothesis state machine of actions by partners, recipients, the outside world and the clock."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from giftsim.gateway.in_process_client import Response
from giftsim.kernel.instants import DAY, format_instant, parse_instant
from tests.properties.world_checks import WorldCheck, check_deliveries
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients, order_body
from tests.support.worlds import World

KEYS = ("partner.prepaid", "partner.no_funds", "partner.net_terms")
HOSTS = ("one.partner.example", "two.partner.example")
KINDS = ["team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention"]
CREDIT_CENTS = 60_000
SPANS = ("1m", "1h", "1h", "7h", "1d", "3d", "12d")
FAULTS = (
    None,
    None,
    None,
    None,
    "charge=card_charge_failed",
    "crash=after_charge",
    "drop=after",
    "drop=before",
    "status=503",
)
ANSWERED = (200, 201, 402, 409, 503)
TEE = {"merchant_product_id": 102, "fixed_options": {"1021": 10212}, "choice_variation_ids": [1022], "quantity": 1}

places = st.integers(0, 9)
faults = st.sampled_from(FAULTS)
events = st.none() | st.fixed_dictionaries(
    {"days": st.integers(0, 9), "rush": st.booleans(), "kit_assembly": st.booleans()}
)
link_orders = st.one_of(
    st.fixed_dictionaries(
        {"recipients": st.builds(email_recipients, st.integers(1, 3)), "claim_expiry_days": st.integers(1, 20)}
    ),
    st.fixed_dictionaries(
        {"recipients": st.builds(email_recipients, st.integers(1, 2)), "open_seats": st.integers(1, 2)}
    ),
    st.fixed_dictionaries({"recipients": st.builds(email_recipients, st.just(2)), "items": st.just([TEE])}),
)
address_orders = st.fixed_dictionaries(
    {"recipients": st.builds(address_recipients, st.integers(1, 3), quantity=st.integers(1, 3))}
)
account_changes = st.one_of(
    st.fixed_dictionaries({"add_cents": st.integers(1, 30_000)}),
    st.fixed_dictionaries({"add_cents": st.integers(1, 9_000), "card": st.sampled_from(("none", "good", "declined"))}),
    st.fixed_dictionaries({"card": st.just("good"), "card_fallback": st.booleans()}),
    st.fixed_dictionaries({"daily_limit_cents": st.none() | st.integers(9_000, 90_000)}),
)
receiver_entries = st.sampled_from(
    (
        {"then": {"status": 200}},
        {"then": {"status": 200}},
        {"then": {"status": 503}},
        {"script": [{"status": 500}, {"timeout": True}, {"reset": True}], "then": {"status": 204}},
        {"outage": {"from": "+2d", "to": "+9d"}},
        {"mode": "refuse"},
        {"addresses": ["10.0.0.5"]},
    )
)


class PartnerActions(RuleBasedStateMachine):
    """Actions on one world, which is checked after each step."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.clients: dict[str, PartnerClient] = {key: world.partner(key) for key in KEYS}
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.paid: dict[int, bytes] = {}
        self.last_check: WorldCheck | None = None

    @initialize(
        cards=st.tuples(*[st.sampled_from(("none", "good", "declined"))] * 2),
        wallet=st.integers(0, 60_000),
        shapes=st.tuples(link_orders, address_orders, link_orders),
    )
    def set_up(self, cards: tuple[str, str], wallet: int, shapes: tuple[dict[str, Any], ...]) -> None:
        """Set up accounts with some money, an endpoint for each, and a first order."""
        self.world.change_account(KEYS[0], wallet_cents=wallet, card=cards[0])
        self.world.change_account(KEYS[1], wallet_cents=wallet // 2, card="good")
        self.world.change_account(KEYS[2], credit_limit_cents=CREDIT_CENTS, card=cards[1])
        for key in KEYS:
            self.clients[key].subscribe(*KINDS, host=HOSTS[0])
        for key, shape in zip(KEYS, shapes, strict=True):
            self.create(key, shape, None, None)

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
        body = order_body(idempotency_key=str(len(self.sent)), return_claim_links=True, **shape)
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
        key, body = self.sent[number]
        headers = {"X_Sim_Fault": fault} if fault else {}
        try:
            response = self.clients[key].post("/team-orders", body, **headers)
        except ConnectionError:
            return
        if response.status == 400 and number not in self.paid:
            assert response.json()["error"]["code"] == "invalid_event", response.text
            return
        assert response.status in ANSWERED, response.text
        if response.status == 201:
            assert self.paid.setdefault(number, response.body) == response.body
        elif number in self.paid:
            assert response.status == 503

    @rule(place=places, by=st.sampled_from(("link", "account", "shared")))
    def claim(self, place: int, by: str) -> None:
        """Claim for a recipient, by link or by the account."""
        parcels = [row for row in self.world.rows("parcels") if row["status"] in ("awaiting", "expired")]
        if not parcels:
            return
        parcel = parcels[place % len(parcels)]
        order = next(row for row in self.world.rows("orders") if row["id"] == parcel["team_order_id"])
        link = {"link": parcel["claim_link"], "shared": order["shared_claim_link"]}.get(by)
        body = (
            {"team_order_id": order["id"], "recipient_id": parcel["recipient_id"]} if link is None else {"token": link}
        )
        self.verb("claim", **body)

    @precondition(lambda self: self.sent)
    @rule(place=places, rows=st.none() | st.sets(st.integers(0, 3), min_size=1))
    def cancel(self, place: int, rows: set[int] | None) -> None:
        """Cancel all recipients of an order, or some of them."""
        orders = self.world.rows("orders")
        if not orders:
            return
        order = orders[place % len(orders)]
        ids = [row["recipient_id"] for row in self.world.rows("parcels") if row["team_order_id"] == order["id"]]
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
        for payment in self.world.rows("payments"):
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
        parcels = self.world.rows("parcels")
        if parcels:
            self.verb("shipment", order_id=parcels[place % len(parcels)]["order_id"], to=to)

    @rule(place=places)
    def remind(self, place: int) -> None:
        """Send a recipient a new claim link."""
        parcels = self.world.rows("parcels")
        if parcels:
            parcel = parcels[place % len(parcels)]
            self.verb(
                "claim_link", team_order_id=parcel["team_order_id"], recipient_id=parcel["recipient_id"], resend=True
            )

    @rule(key=st.sampled_from(KEYS), place=st.integers(1, 3), host=st.sampled_from(HOSTS), entry=receiver_entries)
    def change_receivers(self, key: str, place: int, host: str, entry: dict[str, Any]) -> None:
        """Change a receiver, add an endpoint, and delete another if there is one."""
        client = self.clients[key]
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
        if self.last_check:
            check.check_since(self.last_check)
        self.last_check = check
        for client in self.clients.values():
            listed = client.get("/webhooks").json()["endpoints"]
            details = [client.get(f"/webhooks/{row['id']}").json() for row in listed]
            check_deliveries(details, listed)

    def teardown(self) -> None:
        """Resolve unknown charges, remove faults and advance 400 days: every record ends in a final state."""
        self.world.call_control("DELETE", "/faults")
        self.resolve("paid")
        self.world.advance("400d")
        self.check()
        assert {row["status"] for row in self.world.rows("payments")} <= {"paid", "failed"}
        for parcel in self.world.rows("parcels"):
            paid = self.last_check is None or self.last_check.orders[parcel["team_order_id"]]["paid_at"]
            assert not paid or parcel["status"] in ("delivered", "delayed", "rejected", "expired", "canceled")
        for client in self.clients.values():
            assert [
                row["pending_count"] for row in client.get("/webhooks").json()["endpoints"] if row["pending_count"]
            ] == []
            self.check_events_were_delivered(client)

    def check_events_were_delivered(self, client: PartnerClient) -> None:
        """Check that the first endpoint got each event of its account once."""
        first = client.get("/webhooks").json()["endpoints"][0]["id"]
        deliveries = client.get(f"/webhooks/{first}").json()["deliveries"]
        delivered = {row["event_id"] for row in deliveries}
        known = {row["id"] for row in self.world.rows("events")}
        assert delivered <= known
        if len(deliveries) < 50 and self.last_check:
            keys = {name: client_ for name, client_ in self.clients.items() if client_ is client}
            account = next(row for row in self.last_check.accounts.values() if set(keys) & set(row["keys"]))
            own = {row["id"] for row in self.last_check.events if row["account_id"] == account["account_id"]}
            assert delivered == own
