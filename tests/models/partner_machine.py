"""Random calls of partners, recipients, carriers and time; after each, the world is compared with the model."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.models.compare import assert_same
from tests.models.partner_checks import API, CREDIT
from tests.models.partner_choices import (
    ADDRESSES,
    ENGRAVED,
    HOSTS,
    MISTAKES,
    MUG,
    ORDER_STATUSES,
    SELECTION,
    SPANS,
    TEE_LINE,
    addressed,
    addresses,
    changes,
    claimants,
    events,
    faults,
    foreign,
    guests,
    kinds,
    linked,
    members,
    mistakes,
    paths,
    places,
    statuses,
    waiting,
)
from tests.models.partner_money import Key
from tests.models.partner_replies import Reply, refused
from tests.models.partner_timetable import STAGES, TRANSIT
from tests.models.partner_troubles import TroubleRules, readings
from tests.models.partner_webhooks import DAY, HOUR, KINDS, instant
from tests.models.world import Answer


class PartnerMachine(TroubleRules):
    """What may happen to two accounts: one prepaid with two keys, and one on net terms."""

    @initialize(
        wallet=st.sampled_from((0, 3_000, 20_000, 60_000)),
        cards=st.tuples(*[st.sampled_from(("good", "good", "none", "declined"))] * 2),
        shapes=st.tuples(linked, addressed, linked),
        event=events,
        slow=st.sampled_from(("", "", *STAGES[:3])),
        other=readings,
    )
    def set_up(
        self, wallet: int, cards: tuple[str, str], shapes: Any, event: Any, slow: str, other: dict[str, Any]
    ) -> None:
        """Give the accounts money, an endpoint for everything and first orders; make a second key of one of them."""
        made = self.world.control("POST", "/keys", {"interface": "partner", "account": {"id": 501}})
        self.world.credentials["second"] = {"headers": {"Authorization": f"Bearer {made.json['key']}"}}
        self.change_account(0, {"wallet_cents": wallet, "card": cards[0]})
        self.change_account(2, {"credit_limit_cents": CREDIT, "card": cards[1]})
        self.model.lead[slow or STAGES[0]] = (6 if slow else 1) * DAY
        self.set_lead_times()
        self.choose(other)
        for key in (0, 2):
            self.subscribe(key, HOSTS[0], KINDS)
        for key, shape in enumerate(shapes):
            self.send(self.keys[key], self.body(shape, {}, event), "")

    def set_lead_times(self) -> None:
        """Tell the world how long each stage takes; parcels to Canada are a day longer on their way."""
        lead, settings, until = self.model.lead, {}, 0
        for stage, name in zip(STAGES, ("production", "label", "shipped"), strict=False):
            until += lead[stage]
            settings[f"partner.lead_times.{name}"] = f"{until // HOUR}h"
        settings["partner.lead_times.transit.CA"] = f"{TRANSIT['CA'] // HOUR}h"
        assert self.world.control("PATCH", "/settings", settings).status == 200

    # Calls of partners

    @rule(key=st.integers(0, 2), shape=linked | addressed, more=members, event=events, fault=faults)
    def order(self, key: int, shape: Any, more: Any, event: Any, fault: str) -> None:
        """Create an order with a new idempotency key."""
        self.send(self.keys[key], self.body(shape, more, event), fault)

    @rule(key=st.integers(0, 2), shape=linked | addressed, wrong=mistakes)
    def order_wrongly(self, key: int, shape: Any, wrong: list[str]) -> None:
        """Make mistakes in an order: nothing is created, and the key can be used again."""
        body = right = self.body(shape, {}, None)
        for mistake in wrong:
            body = MISTAKES[mistake](body)
        self.send(self.keys[key], body, "")
        if not wrong[1:]:
            self.send(self.keys[key], right, "")

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
        answer, charge = self.call_with_fault(key, f"{API}/team-orders", body, fault)
        if charge is not None:
            reply = self.model.create(key, body, charge)
            lost = fault == "drop=after" and reply.status in (200, 201, 402)
            self.compare(Reply(0) if lost else reply, answer)

    def call_with_fault(self, key: Key, path: str, body: Any, fault: str) -> tuple[Answer, str | None]:
        """Make a call that may go wrong; the answer, and what that does to its charge, or None if nothing was done."""
        answer = self.world.call(key.name, "POST", path, body, **({"X_Sim_Fault": fault} if fault else {}))
        if fault in ("drop=before", "status=503"):
            assert answer.status == (503 if "503" in fault else 0)
            return answer, None
        effect, _, value = fault.partition("=")
        return answer, {"crash": "crash", "charge": value}.get(effect, "")

    @rule(status=statuses, place=places, rows=st.none() | st.sets(st.integers(0, 4), max_size=2), foreign=foreign)
    def cancel(self, status: str, place: int, rows: set[int] | None, foreign: int) -> None:
        """Cancel all recipients of an order, or one in some status and others, or somebody who is not in it."""
        parcel = self.pick(self.parcels(status), place)
        order, ids = parcel.order, None
        if rows is not None:
            ids = [order.parcels[row % len(order.parcels)].id.value for row in sorted(rows)]
            ids = [*ids, parcel.id.value, *([foreign] if foreign else [])] if ids else ids
        path = f"{API}/team-orders/{order.id.value}/cancel"
        answer = self.world.call(order.key.name, "POST", path, {"recipient_ids": ids})
        self.compare(self.model.cancel(order, ids), answer)

    @rule(amount=st.none() | st.integers(1, 9_000), name=st.none() | st.integers(0, 1), fault=faults)
    def settle(self, amount: int | None, name: int | None, fault: str) -> None:
        """Settle what is owed on net terms."""
        body = {"amount_cents": amount} if name is None else {"idempotency_key": f"settle-{name}"}
        answer, charge = self.call_with_fault(self.keys[2], f"{API}/billing/settle", body, fault)
        if charge is not None:
            reply = self.model.settle(self.keys[2], body, charge)
            self.compare(Reply(0) if fault == "drop=after" and reply.status == 200 else reply, answer)

    @rule(key=st.integers(0, 2), host=st.sampled_from(HOSTS), some=kinds, disabled=st.integers(2, 6))
    def change_endpoints(self, key: int, host: str, some: list[str], disabled: int) -> None:
        """Subscribe an endpoint, and perhaps disable one, but never one of the first two."""
        self.subscribe(key, host, some)
        for endpoint in self.model.webhooks.endpoints[disabled : disabled + 1]:
            answer = self.world.call(endpoint.key.name, "DELETE", f"{API}/webhooks/{endpoint.id.value}")
            self.model.webhooks.disable(endpoint)
            self.compare(Reply(200, "", {"ok": True, "endpoint": endpoint.json()}), answer)  # P-4.15, B28
            self.check_endpoints()

    def subscribe(self, key: int, host: str, some: list[str]) -> None:
        """Subscribe an endpoint to some events."""
        chosen, body = self.keys[key], {"url": f"https://{host}/gifts", "events": some}
        answer = self.world.call(chosen.name, "POST", f"{API}/webhooks", body)
        if not self.model.webhooks.has_room(chosen):
            assert (answer.status, answer.code) == (409, "too_many_endpoints")  # P-8.3
            return
        endpoint = self.model.webhooks.subscribe(chosen, host, some, self.model.now)
        shown = {"endpoint": endpoint.json(), "secret": endpoint.secret, "signature_header": "X-Service-Signature"}
        self.compare(Reply(201, "", shown), answer)  # P-4.12, P-2.40

    @rule(
        key=st.integers(0, 2), status=st.none() | st.sampled_from(ORDER_STATUSES), limit=st.integers(1, 3), place=places
    )
    def look(self, key: int, status: str | None, limit: int, place: int) -> None:
        """Read a page of a list, a manifest, and an order of another account; ping an endpoint."""
        name, account, offset = self.keys[key].name, self.keys[key].account, place // 3
        query = f"limit={limit}&offset={offset}" + (f"&status={status}" if status else "")
        page = self.world.call(name, "GET", f"{API}/team-orders?{query}").json
        assert_same(self.model.listed(account, status, limit, offset), page, f"the page {query}")
        order = self.pick(self.model.orders, place)
        path = f"{API}/team-orders/{order.id.value}"
        if order.account is not account:
            for method, end in (("GET", ""), ("GET", "/manifest.csv"), ("POST", "/cancel")):
                refusal = self.world.call(name, method, path + end)
                assert (refusal.status, refusal.code) == (404, "team_order_not_found")  # P-1.9, P-7.18
        else:
            self.check_manifest(name, path + "/manifest.csv", order)
        endpoint = self.pick(self.model.webhooks.endpoints, place)
        pinged = self.world.call(name, "POST", f"{API}/webhooks/{endpoint.id.value}/test")
        own = endpoint.key.account is account
        self.compare(self.model.ping(endpoint) if own else refused("endpoint_not_found"), pinged)  # P-1.9, P-7.20

    # Recipients, carriers, banks

    @rule(status=waiting, place=places, address=addresses, by=claimants, guest=guests)
    def claim(self, status: str, place: int, address: dict[str, Any], by: str, guest: dict[str, Any]) -> None:
        """Enter an address for a recipient: by the personal or the shared link, or as the account."""
        parcel = self.pick(self.parcels(status), place)
        order = parcel.order
        selection = SELECTION if TEE_LINE in order.body["items"] else None
        chosen = {"address": address, **({"selection": selection} if selection else {})}
        if by == "account" and order.linked:
            named = {"team_order_id": order.id.value, "recipient_id": parcel.id.value}
            answer = self.world.verb("claim", **named, **chosen, **({} if parcel.has_link else guest))
            reply = self.model.claim(parcel, address, by_link=False, selection=selection, **guest)
        elif by == "seat" and order.shared_link:
            answer = self.follow(str(order.shared_link.value), {**chosen, **guest})
            reply = self.model.claim_seat(order, address, selection, **guest)
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

    @rule(status=waiting, place=places, days=st.none() | st.integers(1, 9))
    def resend(self, status: str, place: int, days: int | None) -> None:
        """Send a recipient a new link; the old one does not work any more."""
        parcel = self.pick(self.parcels(status), place)
        if not parcel.order.linked:
            return
        old, more = parcel.link.value, {} if days is None else {"expiry_days": days}
        named = {"team_order_id": parcel.order.id.value, "recipient_id": parcel.id.value}
        answer = self.world.verb("claim_link", **named, **more)
        reply = self.model.resend(parcel, days)
        assert answer.status == reply.status, (answer, reply)
        if reply.status == 200 and old:
            assert self.follow(old, {"address": ADDRESSES[0]}).status == 410  # G33

    @rule(status=statuses, place=places, path=paths)
    def move(self, status: str, place: int, path: list[str]) -> None:
        """Move a parcel that has its address, perhaps several times."""
        parcel = self.pick(self.parcels(status), place)
        for to in path if parcel.status not in ("awaiting", "expired") else ():
            answer = self.world.verb("shipment", order_id=parcel.order_id.value, to=to)
            reply = self.model.move(parcel, to)
            assert answer.status == reply.status, (answer, reply)

    @precondition(lambda self: self.model.unknown())
    @rule(place=places, outcome=st.sampled_from(("paid", "failed")))
    def resolve(self, place: int, outcome: str) -> None:
        """Say what became of a charge."""
        unknown = [order for order in self.model.orders if order.outcome_unknown]
        order = self.pick(unknown or self.model.orders, place)
        answer = self.world.verb("outcome", team_order_id=order.id.value, outcome=outcome)
        reply = self.model.resolve(order, outcome)
        assert answer.status == reply.status, (answer, reply)

    @precondition(lambda self: self.model.unknown())
    @rule(name=st.integers(0, 1), outcome=st.sampled_from(("paid", "failed")))
    def resolve_settlement(self, name: int, outcome: str) -> None:
        """Say what became of a settlement, by its idempotency key."""
        named = {"idempotency_key": f"settle-{name}", "key": "partner.net_terms"}
        answer = self.world.verb("outcome", **named, outcome=outcome)
        reply = self.model.resolve_settlement(self.keys[2].account, f"settle-{name}", outcome)
        assert answer.status == reply.status, (answer, reply)

    @rule(change=changes)
    def change_world(self, change: tuple[str, Any]) -> None:
        """Change what calls depend on: accounts, prices, reviews, receivers, a setting."""
        name, value = change
        if name == "account":
            self.change_account(*value)
        elif name == "reconcile":
            assert self.world.control("PATCH", "/settings", {"partner.reconcile_unknown": value}).status == 200
            self.model.reconcile_unknown(value)
        elif name == "price":
            assert self.world.verb("price", product=MUG, price_cents=value).status == 200
            self.model.prices[MUG] = value
        elif name == "review":
            assert self.world.verb("personalization", product=ENGRAVED, reviewed=value).status == 200
            self.model.unreviewed = set() if value else {ENGRAVED}
        else:
            host, status = value
            entry: dict[str, Any] = {"mode": "capture", "then": {"status": status}} if status else {"mode": "refuse"}
            assert self.world.control("PUT", f"/receivers/{host}", entry).status == 200
            self.model.webhooks.answers[host] = status

    def change_account(self, key: int, change: dict[str, Any]) -> None:
        """Change an account's money, card and limits."""
        account = self.keys[key].account
        name = "partner.prepaid" if account is self.keys[0].account else "partner.net_terms"
        assert self.world.verb("account", key=name, **change).status == 200
        account.wallet = change.get("wallet_cents", account.wallet) + change.get("add_cents", 0)
        account.card = change.get("card", account.card)
        account.card_fallback = change.get("card_fallback", account.card_fallback)
        account.daily_limit = change.get("daily_limit_cents", account.daily_limit)

    # Time

    @rule(span=st.sampled_from(SPANS))
    def wait(self, span: int) -> None:
        """Let time pass: a span, or until the next instant at which something is due, or to the second before."""
        due = self.model.next_due()
        self.go_to(self.model.now + span if span > 1 or due is None else max(self.model.now, due - span))
