"""Random calls of partners, recipients, carriers and time; after each, the world is compared with the model."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from giftsim import Simulator
from tests.models.compare import assert_same
from tests.models.partner import Partner, Reply
from tests.models.partner_choices import (
    ADDRESSES,
    ENGRAVED,
    MISTAKES,
    MUG,
    PRICES,
    SELECTION,
    SPANS,
    TARGETS,
    TEE_LINE,
    account_changes,
    addressed,
    addresses,
    events,
    faults,
    linked,
    members,
    mistakes,
    places,
)
from tests.models.partner_money import NET_TERMS, PREPAID, Account, Key
from tests.models.partner_webhooks import DAY, KINDS, Endpoint, instant
from tests.models.world import Answer, ModelMachine

API = "/api/external"
START = 1_799_053_200  # 2027-01-04T09:00:00Z
HOSTS = ("all.partner.example", "one.partner.example", "two.partner.example")
CREDIT = 30_000


class PartnerMachine(ModelMachine):
    """Two accounts: one prepaid with two keys, and one on net terms."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator)
        self.model = Partner(START, PRICES, (ENGRAVED,))
        prepaid, terms = Account(PREPAID, 500_000), Account(NET_TERMS, 0, credit_limit=CREDIT)
        self.keys = [Key("partner.prepaid", prepaid), Key("second", prepaid), Key("partner.net_terms", terms)]
        self.sent: list[tuple[Key, dict[str, Any]]] = []
        self.seen = 0

    @initialize(wallet=st.integers(0, 40_000), cards=st.tuples(*[st.sampled_from(("good", "none", "declined"))] * 2))
    def set_up(self, wallet: int, cards: tuple[str, str]) -> None:
        """Give the accounts money and each an endpoint for everything; make a second key of the first account."""
        made = self.world.control("POST", "/keys", {"interface": "partner", "account": {"id": 501}})
        self.world.credentials["second"] = {"headers": {"Authorization": f"Bearer {made.json['key']}"}}
        self.change_account(0, {"wallet_cents": wallet, "card": cards[0]})
        self.change_account(2, {"credit_limit_cents": CREDIT, "card": cards[1]})
        for key in (0, 2):
            self.subscribe(key, HOSTS[0], KINDS)

    # Calls of partners

    @rule(key=st.integers(0, 2), shape=linked | addressed, more=members, event=events, fault=faults)
    def order(self, key: int, shape: Any, more: Any, event: Any, fault: str) -> None:
        """Create an order with a new idempotency key."""
        self.send(self.keys[key], self.body(shape, more, event), fault)

    @rule(key=st.integers(0, 2), shape=linked | addressed, wrong=mistakes)
    def order_wrongly(self, key: int, shape: Any, wrong: list[str]) -> None:
        """Make mistakes in an order: nothing is created, and the key can be used again."""
        right = self.body(shape, {}, None)
        body = right
        for mistake in wrong:
            body = MISTAKES[mistake](body)
        self.send(self.keys[key], body, "")
        if not wrong[1:]:
            self.send(self.keys[key], right, "")

    @precondition(lambda self: self.sent)
    @rule(place=places, fault=faults, other=st.sampled_from(("", "", "", "body", "key")))
    def repeat(self, place: int, fault: str, other: str) -> None:
        """Send a request again, perhaps with another body, or with the account's other key."""
        key, body = self.sent[place % len(self.sent)]
        if other == "key" and key.account is self.keys[0].account:
            key = self.keys[1] if key is self.keys[0] else self.keys[0]
        self.send(key, {**body, "name": "Other"} if other == "body" else body, fault)

    def body(self, shape: Any, more: Any, event: Any) -> dict[str, Any]:
        """A whole body."""
        name = f"order-{len(self.sent)}"
        body = {"idempotency_key": name, "reference": name, "gift_sender": "Ada", **shape, **more}
        if event:
            body["event"] = {"date": self.day(event["days"]), **{n: event[n] for n in event if n != "days"}}
        body["recipients"] = [
            {**row, "ship_on": self.day(row["ship_on"])} if row.get("ship_on") is not None else row
            for row in body["recipients"]
        ]
        return body

    def day(self, days: int) -> str:
        """The date in some days."""
        return str(instant(self.model.now + days * DAY))[:10]

    def send(self, key: Key, body: dict[str, Any], fault: str) -> None:
        """Send the body of an order, and compare the answer."""
        self.sent.append((key, body))
        headers = {"X_Sim_Fault": fault} if fault else {}
        answer = self.world.call(key.name, "POST", f"{API}/team-orders", body, **headers)
        if fault in ("drop=before", "status=503"):
            assert answer.status == (503 if "503" in fault else 0)
            return
        kind, _, value = fault.partition("=")
        reply = self.model.create(key, body, {"crash": "crash", "charge": value}.get(kind, ""))
        self.compare(Reply(0) if kind == "drop" and reply.status in (200, 201, 402) else reply, answer)

    @precondition(lambda self: self.model.orders)
    @rule(place=places, rows=st.none() | st.sets(st.integers(0, 4), max_size=3), foreign=st.sampled_from((0, 0, 0, 9)))
    def cancel(self, place: int, rows: set[int] | None, foreign: int) -> None:
        """Cancel all recipients of an order, some of them, or a recipient who is not in it."""
        order = self.pick(self.model.orders, place)
        ids = None if rows is None else [order.parcels[row % len(order.parcels)].id.value for row in sorted(rows)]
        ids = [*ids, foreign] if ids and foreign else ids
        answer = self.world.call(
            order.key.name,
            "POST",
            f"{API}/team-orders/{order.id.value}/cancel",
            {} if ids is None else {"recipient_ids": ids},
        )
        self.compare(self.model.cancel(order, ids), answer)

    @rule(amount=st.none() | st.integers(1, 9_000), name=st.none() | st.integers(0, 1), fault=faults)
    def settle(self, amount: int | None, name: int | None, fault: str) -> None:
        """Settle what is owed on net terms."""
        body: dict[str, Any] = {} if name is None else {"idempotency_key": f"settle-{name}"}
        if amount and name is None:
            body["amount_cents"] = amount
        headers = {"X_Sim_Fault": fault} if fault else {}
        answer = self.world.call("partner.net_terms", "POST", f"{API}/billing/settle", body, **headers)
        if fault in ("drop=before", "status=503"):
            return
        kind, _, value = fault.partition("=")
        reply = self.model.settle(self.keys[2], body, {"crash": "crash", "charge": value}.get(kind, ""))
        self.compare(Reply(0) if kind == "drop" and reply.status == 200 else reply, answer)

    @rule(
        key=st.integers(0, 2),
        host=st.sampled_from(HOSTS),
        kinds=st.lists(st.sampled_from(KINDS), min_size=1, unique=True),
    )
    def subscribe(self, key: int, host: str, kinds: list[str]) -> None:
        """Subscribe an endpoint to some events."""
        chosen = self.keys[key]
        answer = self.world.call(
            chosen.name, "POST", f"{API}/webhooks", {"url": f"https://{host}/gifts", "events": kinds}
        )
        if not self.model.webhooks.has_room(chosen):
            assert (answer.status, answer.code) == (409, "too_many_endpoints")  # P-8.3
            return
        endpoint = self.model.webhooks.subscribe(chosen, host, kinds, self.model.now)
        shown = {"endpoint": endpoint.json(), "secret": endpoint.secret, "signature_header": "X-Service-Signature"}
        self.compare(Reply(201, "", shown), answer)  # P-4.12, P-2.40

    @rule(place=st.integers(2, 9))
    def disable(self, place: int) -> None:
        """Disable an endpoint, but never one of the first two."""
        for endpoint in self.model.webhooks.endpoints[place : place + 1]:
            answer = self.world.call(endpoint.key.name, "DELETE", f"{API}/webhooks/{endpoint.id.value}")
            self.model.webhooks.disable(endpoint)
            self.compare(Reply(200, "", {"ok": True, "endpoint": endpoint.json()}), answer)  # P-4.15, B28

    # Recipients, carriers, banks

    @precondition(lambda self: self.model.orders)
    @rule(place=places, row=places, address=addresses, by=st.sampled_from(("link", "link", "seat", "account")))
    def claim(self, place: int, row: int, address: dict[str, Any], by: str) -> None:
        """Enter an address for a recipient: by the personal or the shared link, or as the account."""
        order = self.pick([order for order in self.model.orders if order.linked] or self.model.orders, place)
        parcel = self.pick(order.parcels, row)
        if not order.linked:
            return
        selection = SELECTION if TEE_LINE in order.body["items"] else None
        chosen = {"address": address, **({"selection": selection} if selection else {})}
        if by == "account":
            person = {} if parcel.has_link else {"name": "Cy", "email": "cy@example.com"}
            answer = self.world.verb(
                "claim", team_order_id=order.id.value, recipient_id=parcel.id.value, **chosen, **person
            )
            if not parcel.has_link and answer.status == 200:
                parcel.name, parcel.email = "Cy", "cy@example.com"
            reply = self.model.claim(parcel, address, by_link=False, selection=selection)
        elif by == "seat" and order.shared_link:
            guest = {"name": "Bo", "email": "bo@example.com"}
            answer = self.follow(str(order.shared_link.value), {**chosen, **guest})
            reply = self.model.claim_seat(order, guest["name"], guest["email"], address, selection)
        elif parcel.has_link:
            answer = self.follow(str(parcel.link.value), chosen)
            reply = self.model.claim(parcel, address, by_link=True, selection=selection)
        else:
            return
        assert answer.status == reply.status, (answer, reply)

    def follow(self, link: str, entry: dict[str, Any]) -> Answer:
        """Post to a claim page."""
        response = self.world.client.call("POST", "/claim/" + link.partition("/claim/")[2], body=entry)
        return Answer(response.status)

    @precondition(lambda self: self.model.orders)
    @rule(place=places, row=places, days=st.none() | st.integers(1, 9))
    def resend(self, place: int, row: int, days: int | None) -> None:
        """Send a recipient a new link; the old one does not work any more."""
        parcel = self.pick(self.pick(self.model.orders, place).parcels, row)
        if not parcel.order.linked:
            return
        old = parcel.link.value
        more = {} if days is None else {"expiry_days": days}
        answer = self.world.verb(
            "claim_link", team_order_id=parcel.order.id.value, recipient_id=parcel.id.value, **more
        )
        reply = self.model.resend(parcel, days)
        assert answer.status == reply.status, (answer, reply)
        if reply.status == 200 and old:
            assert self.follow(old, {"address": ADDRESSES[0]}).status == 410  # G33

    @precondition(lambda self: self.model.orders)
    @rule(place=places, row=places, to=st.sampled_from(TARGETS))
    def move(self, place: int, row: int, to: str) -> None:
        """Move a parcel that has its address."""
        parcel = self.pick(self.pick(self.model.orders, place).parcels, row)
        if parcel.status in ("awaiting", "expired"):
            return
        answer = self.world.verb("shipment", order_id=parcel.order_id.value, to=to)
        reply = self.model.move(parcel, to)
        assert answer.status == reply.status, (answer, reply)

    @rule(key=st.integers(0, 2), changes=account_changes)
    def change_account(self, key: int, changes: dict[str, Any]) -> None:
        """Change an account's money, card and limits."""
        account = self.keys[key].account
        name = "partner.prepaid" if account is self.keys[0].account else "partner.net_terms"
        assert self.world.verb("account", key=name, **changes).status == 200
        account.wallet = changes.get("wallet_cents", account.wallet) + changes.get("add_cents", 0)
        account.card = changes.get("card", account.card)
        account.card_fallback = changes.get("card_fallback", account.card_fallback)
        account.daily_limit = changes.get("daily_limit_cents", account.daily_limit)

    @precondition(lambda self: self.model.orders)
    @rule(place=places, outcome=st.sampled_from(("paid", "failed")))
    def resolve(self, place: int, outcome: str) -> None:
        """Say what became of a charge."""
        unknown = [order for order in self.model.orders if order.outcome_unknown]
        order = self.pick(unknown or self.model.orders, place)
        answer = self.world.verb("outcome", team_order_id=order.id.value, outcome=outcome)
        reply = self.model.resolve(order, outcome)
        assert answer.status == reply.status, (answer, reply)

    @rule(choice=st.sampled_from(("never", "never", "paid", "failed")))
    def reconcile(self, choice: str) -> None:
        """Let the hourly run close charges whose outcome is unknown, or not."""
        assert self.world.control("PATCH", "/settings", {"partner.reconcile_unknown": choice}).status == 200
        self.model.reconcile_unknown(choice)

    @rule(cents=st.integers(1, 4_000))
    def change_price(self, cents: int) -> None:
        """Change a price: orders that exist keep theirs."""
        assert self.world.verb("price", product=MUG, price_cents=cents).status == 200
        self.model.prices[MUG] = cents

    @rule(reviewed=st.booleans())
    def review(self, reviewed: bool) -> None:
        """Review the personalization of a product for all accounts, or take that back."""
        assert self.world.verb("personalization", product=ENGRAVED, reviewed=reviewed).status == 200
        self.model.unreviewed = set() if reviewed else {ENGRAVED}

    @rule(host=st.sampled_from(HOSTS), answer=st.sampled_from((200, 204, 302, 503, None)))
    def change_receiver(self, host: str, answer: int | None) -> None:
        """From now on a receiver answers otherwise, or not at all."""
        entry: dict[str, Any] = {"mode": "capture", "then": {"status": answer}} if answer else {"mode": "refuse"}
        assert self.world.control("PUT", f"/receivers/{host}", entry).status == 200
        self.model.webhooks.answers[host] = answer

    # Time

    @rule(span=st.sampled_from(SPANS))
    def wait(self, span: int) -> None:
        """Let time pass."""
        self.go_to(self.model.now + span)

    @rule(early=st.integers(0, 1))
    def wait_until_next(self, early: int) -> None:
        """Go to the next instant at which something is due, or to the second before."""
        due = self.model.next_due()
        if due is not None:
            self.go_to(max(self.model.now, due - early))

    def go_to(self, at: int) -> None:
        """Advance the world and the model."""
        self.world.advance(to=instant(at))
        self.model.advance(at)

    # Comparison

    @staticmethod
    def pick(found: list[Any], place: int) -> Any:
        """One of several."""
        return found[place % len(found)]

    def compare(self, reply: Reply, answer: Answer) -> None:
        """Compare an answer with the reply that the model demands: status, code and body."""
        assert (answer.status, answer.code) == (reply.status, reply.code), (answer, reply)
        if reply.status in (200, 201):
            assert_same(reply.json, answer.json, "the answer")
        for name, value in (reply.json or {}).items() if reply.code else ():
            actual = [row["recipient_index"] for row in answer.json["errors"]] if name == "rows" else answer.json[name]
            assert_same(value, actual, f"{name} of the error")

    @invariant()
    def check_orders(self) -> None:
        """Compare the lists and details of all orders, and what the accounts have."""
        for key in (self.keys[0], self.keys[2]):
            listed = self.world.call(key.name, "GET", f"{API}/team-orders?limit=100").json
            assert_same(self.model.listed(key.account, limit=100), listed, f"the list of {key.name}")
            for order in self.model.of(key.account):
                read = self.world.call(key.name, "GET", f"{API}/team-orders/{order.id.value}?include=claim_links").json
                assert_same(order.detail(self.model.now, links=True), read, f"order {order.id}")
        held = {
            row["label"]: (row["wallet_cents"], row["held_cents"], row["owed_cents"])
            for row in self.world.view("accounts")
        }
        for name, account in (("prepaid", self.keys[0].account), ("net_terms", self.keys[2].account)):
            assert_same((account.wallet, account.held, account.owed), held[name], f"account {name}")

    @invariant()
    def check_webhooks(self) -> None:
        """Compare what arrived since the last step, in its order, and the endpoints with their deliveries."""
        new = self.world.view(f"deliveries?after={self.seen}")
        arrived = self.model.webhooks.arrivals[self.seen :]
        assert_same([each.json() for each in arrived], [_attempt(row) for row in new], "what arrived")
        for each, row in zip(arrived, new, strict=True):
            assert_same(each.event.body(), json.loads(row["request"]["body"]), f"the body of {each.event.id}")
            self._check_signature(each.endpoint, row)
        self.seen += len(new)
        for key in (self.keys[0], self.keys[2]):
            endpoints = self.model.webhooks.of(key.account)
            listed = self.world.call(key.name, "GET", f"{API}/webhooks").json
            assert_same({"endpoints": [each.row() for each in endpoints]}, listed, f"the endpoints of {key.name}")
            for endpoint in endpoints:
                read = self.world.call(key.name, "GET", f"{API}/webhooks/{endpoint.id.value}").json
                assert_same(endpoint.detail(), read, f"endpoint {endpoint.id}")

    def _check_signature(self, endpoint: Endpoint, row: dict[str, Any]) -> None:
        """P-6.10 to P-6.14, B43."""
        headers, body = row["request"]["headers"], row["request"]["body"]
        stamp = headers["X-Service-Signature"].partition(",")[0].removeprefix("t=")
        assert instant(int(stamp)) == row["at"]
        mac = hmac.new(endpoint.secret.value.encode(), f"{stamp}.{body}".encode(), hashlib.sha256).hexdigest()
        assert headers["X-Service-Signature"] == f"t={stamp},v1={mac}"
        assert (headers["X-Service-Event"], headers["X-Service-Event-Id"]) == (row["type"], row["event_id"])


def _attempt(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("at", "url", "event_id", "type", "attempt", "status")}
