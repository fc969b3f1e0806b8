"""Random calls, verbs and time on a world and on the model of the team interface, compared after each step."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.models import team_views as views
from tests.models.compare import assert_same
from tests.models.team import Team
from tests.models.team_bank import Bank
from tests.models.team_campaigns import Campaign
from tests.models.team_comparison import API, LIVE, MOST, pick, places, typed
from tests.models.team_money import ACH, TERMS, TRANSFER, Key, Money, Refused
from tests.models.team_openings import OPENINGS, openings
from tests.models.team_sends import Gift, Order, Parcel, Send
from tests.models.team_statement import Entry
from tests.models.team_troubles import TroubleRules, named, readings

R = TypeVar("R")
KINDS = (
    "gift.sent", "gift.claimed", "gift.shipped", "gift.delivered", "team_order.shipped", "team_order.delivered",
    "approval.requested", "approval.decided", "invoice.issued", "invoice.paid", "balance.low",
)  # fmt: skip
START = int(datetime.fromisoformat("2027-01-04T09:00:00Z").timestamp())
BALANCE, CREDIT, THRESHOLD = 30_000, 25_000, 12_000
CEILINGS = {LIVE: (15_000, 20_000), "second": (10_000, 12_000), "team.live_requester": (None, None)}
UNDER_WAY = ("preparing", "approved", "paused")
HELD = ("awaiting_approval", "approved")
payers = st.sampled_from((LIVE, LIVE, "second", "team.live_requester"))


class TeamMachine(TroubleRules):
    """A team's keys, the people who decide, claim and pay, and the clock."""

    @initialize(settle_after=st.sampled_from((0, 0, 0, 36)), expire_days=st.sampled_from((None, None, 2)),
                hold=st.booleans(), asks=st.booleans(), readings=readings, past=openings)  # fmt: skip
    def begin(
        self, settle_after: int, expire_days: int | None, readings: dict[str, Any], past: list[str], *, hold: bool,
        asks: bool,
    ) -> None:  # fmt: skip
        """A team with little money, three keys, and a subscription to everything."""
        self.hold, self.asks = hold, asks
        self.keys = {name: Key(name, may_pay=name != "team.live_requester") for name in CEILINGS}
        for name, key in self.keys.items():
            key.per_request, key.monthly = CEILINGS[name]
        self.money = Bank(START, BALANCE, CREDIT, THRESHOLD, settle_after * 3600)
        self.team = Team(START, self.money, expire_days)
        self.sandbox = Team(START, Money(START, 0, 0, 0), expire_days, live=False)
        self.sandbox.off = self.team.off
        self.choose(readings)
        self._control("PATCH", "/settings", {
            "payments.settle_after": f"{settle_after}h", "on_ceiling": "hold" if hold else "reject",
            "approvals.auto_request": asks, "approvals.expire_days": expire_days, "large_campaign.batch_size": 2,
        })  # fmt: skip
        scopes = [f"{area}:{act}" for area in ("orders", "billing") for act in ("read", "write")]
        scopes += ["catalog:read", "gifts:send", "orders:pay"]
        limits = {"per_request_cents": CEILINGS["second"][0], "monthly_cents": CEILINGS["second"][1]}
        made = self.world.call("session.owner", "POST", f"{API}/keys", {
            "name": "Second", "mode": "live", "role": "approver", "scopes": scopes, "pay_limits": limits,
        })  # fmt: skip
        self.world.credentials["second"] = {"headers": {"Authorization": f"Bearer {made.json['key']}"}}
        first = dict(zip(("per_request_cents", "monthly_cents"), CEILINGS[LIVE], strict=True))
        self._control("PATCH", "/keys/team.live_approver", {"pay_limits": first})
        self._verb("team", balance_cents=BALANCE, credit={"credit_limit_cents": CREDIT})
        picture = {"url": "https://files.example.com/logo.png", "name": "Logo"}
        self.artwork = self._send(LIVE, "/artwork", picture).json["id"]
        body = {"url": "https://hooks.example.com/all", "events": list(KINDS), "balance_threshold_cents": THRESHOLD}
        for name in (LIVE, "team.test"):
            assert self.world.call(name, "POST", f"{API}/webhooks", body).status == 201
        self.seen = len(self.world.view("events"))
        opening = self._get(f"/statements/{self.money.month()}")["entries"]
        self.money.entries = [Entry(START, row["kind"], row["amount_cents"], row["balance_cents"]) for row in opening]
        for each in past:
            OPENINGS[each](self)

    # Calls of keys

    @precondition(lambda self: len(self.team.orders) < 4)
    @rule(key=payers, heads=st.integers(1, 3), named=st.integers(0, 3), country=st.sampled_from((None, None, "DE")),
          method=st.sampled_from((None, None, TERMS)), crash=st.sampled_from((False, False, False, True)))  # fmt: skip
    def order(self, key: str, heads: int, named: int, country: str | None, method: str | None, *, crash: bool) -> None:
        """Order kits, on terms or held (T-4.48, T-5.26)."""
        named, names = min(named, heads), [f"Guest {i}" for i in range(min(named, heads))]
        body: dict[str, Any] = {"collection": "welcome-kit", "headcount": heads, "recipients": typed(names)}
        body |= {"destination_countries": [country]} if country else {}
        body |= {"payment_method": method} if method else {}
        crash = crash and method is not None
        answer = self._send(key, "/team-orders", body, crash=crash)

        def act() -> Order:
            if method and not self.keys[key].may_pay:
                raise Refused(403, "insufficient_scope")
            order = Order(
                self.team, self.keys[key], self.team.kit(), [*names, *[None] * (heads - named)], country or "US"
            )
            order.method = method
            if method:
                self._pay_or_hold(order, self.keys[key], crash=crash)
            self.team.orders.append(order)
            if order.payment is None and self.asks:
                self.team.request(order, order.total)
            return order

        self._agree(answer, act, views.order, crash=crash)

    def _pay_or_hold(self, order: Order, key: Key, *, crash: bool = False) -> None:
        """A setting holds what is above a ceiling (A5.3)."""
        try:
            self.money.pay(order, TERMS, key, crash=crash)
        except Refused as refusal:
            if not (self.hold and refusal.code in ("spending_ceiling_exceeded", "monthly_cap_exceeded")):
                raise

    @precondition(lambda self: len(self.team.orders) < 3)
    @rule(key=payers, count=st.integers(0, 2), branded=st.sampled_from((False, False, True)))
    def store_order(self, key: str, count: int, *, branded: bool) -> None:
        """Order of the store; the approval is requested at once (0.4)."""
        names = [f"Guest {i}" for i in range(count)]
        third = {"merchant_product_id": 137 if branded else 103, "quantity": 2}
        lines = [{"merchant_product_id": 101, "quantity": 1}, third]
        answer = self._send(key, "/store/orders", {"items": lines, "recipients": typed(names)})
        items = ("mug-01", *("bmug-01" if branded else "pen-01",) * 2)

        def act() -> Order:
            self.team.check_stock(items)
            order = Order(self.team, self.keys[key], items, names or [None], "US")
            order.source = "store"
            self.team.orders.append(order)
            self.team.request(order, order.total)
            return order

        self._agree(answer, act, views.order)

    @precondition(lambda self: len(self.team.gifts) < 2)
    @rule(key=payers, count=st.integers(1, 3))
    def gift(self, key: str, count: int) -> None:
        """Prepare a gift send (T-4.35)."""
        names = [f"Guest {i}" for i in range(count)]
        body = {"recipients": typed(names), "gift": {"collection_slug": "welcome-kit"}}
        answer = self._send(key, "/gifts", body)

        def act() -> None:
            gift = Gift(self.team, self.keys[key], self.team.kit(), names, "US")
            self.team.gifts.append(gift)
            self.team.request(gift, gift.total)

        self._agree(answer, act)
        members = {"id", "status", "approval_id", "recipients", "livemode"}
        assert answer.status != 201 or set(answer.json) <= members  # T-4.38

    @precondition(lambda self: len(self.team.campaigns) < 2)
    @rule(key=payers, count=st.integers(1, 5), method=st.sampled_from((None, None, TERMS)))
    def campaign(self, key: str, count: int, method: str | None) -> None:
        """Create a campaign, whose batches have two recipients (T-4.162, A1.7)."""
        names = [f"Guest {i}" for i in range(count)]
        body = {"name": "All", "collection": "welcome-kit", "recipients": typed(names)}
        answer = self._send(key, "/large-campaigns", body | ({"payment_method": method} if method else {}))

        def act() -> Campaign:
            if method and not self.keys[key].may_pay:
                raise Refused(403, "insufficient_scope")
            campaign = Campaign(self.team, self.keys[key], names, method, 2)
            self.team.campaigns.append(campaign)
            return campaign

        self._agree(answer, act, views.campaign)

    @precondition(lambda self: any(each.status in UNDER_WAY for each in self.team.campaigns))
    @rule(place=places, key=payers, action=st.sampled_from(("next", "next", "stop", "pause", "resume", "reprice")),
          patch=st.booleans(), crash=st.sampled_from((False, False, True)))  # fmt: skip
    def campaign_action(self, place: int, key: str, action: str, *, patch: bool, crash: bool) -> None:
        """Prepare, pay, reprice, pause, resume or stop a campaign (T-4.167, T-4.170, 0.8)."""
        campaign = pick(self.team.campaigns, place, lambda row: row.status in UNDER_WAY)
        path = f"/large-campaigns/{campaign.id.value}"
        if action == "next":
            self._process(campaign, key, crash=crash)
        elif action in ("pause", "resume") or (action == "reprice" and patch):
            self._agree(self._send(key, path, {"action": action}, method="PATCH"), getattr(campaign, action))
        else:
            self._agree(self._send(key, f"{path}/process", {"action": action}), getattr(campaign, action))

    def _process(self, campaign: Campaign, key: str, *, crash: bool = False) -> None:
        answer = self._send(key, f"/large-campaigns/{campaign.id.value}/process", {}, crash=crash)
        self._agree(answer, lambda: campaign.process(self.keys[key], crash=crash), crash=crash)

    @precondition(lambda self: self.team.orders)
    @rule(place=places, key=payers, reason=st.sampled_from((None, None, None, "", "Too many")))
    def request_approval_or_cancel(self, place: int, key: str, reason: str | None) -> None:
        """Ask a human about an order, or cancel it for a reason (T-4.65, T-4.62, T-2.24)."""
        order = pick(self.team.orders, place, lambda row: row.status in HELD)
        path = f"/team-orders/{order.id.value}"
        if reason is None:
            answer = self._send(key, f"{path}/request-approval", {})
            self._agree(answer, lambda: self.team.request_approval(order), views.approval)
        else:
            answer = self._send(key, f"{path}/cancel", {"reason": reason} if reason else {})
            self._agree(answer, lambda: self.team.cancel(order, reason or None), views.order)

    @precondition(lambda self: self.team.orders)
    @rule(place=places, key=payers, method=st.sampled_from((TERMS, TRANSFER, ACH)))
    def fund(self, place: int, key: str, method: str) -> None:
        """Fund an order: on terms, by a deposit invoice, or by an ACH intent (T-4.180 to T-4.185, T-5.27 to T-5.29)."""
        order = pick(self.team.orders, place, lambda row: row.status in HELD and row.payment is None)
        answer = self._send(key, "/funding", {"method": method, "campaign_id": order.id.value})

        def act() -> None:
            if key == "team.live_requester":
                raise Refused(403, "insufficient_role")  # T-4.219
            if method == TERMS:
                self.money.pay(order, TERMS, self.keys[key])
            elif method == TRANSFER:
                self.money.issue("deposit", order.total, order)
            else:
                self.money.intend(order)

        self._agree(answer, act)

    @precondition(lambda self: any(each.needs_proof for each in self.team.orders))
    @rule(place=places, act=st.sampled_from(("version", "approve", "request_changes", "sign", "all", "all")))
    def prove(self, place: int, act: str) -> None:
        """A proof of artwork is made, reviewed by a key and signed by a person (T-4.153, T-4.156, T-4.159)."""
        order = pick(self.team.orders, place, lambda row: row.needs_proof)
        line = order.lines[-1]
        if line.proof is None:
            return
        for step in ("version", "approve", "sign") if act == "all" else (act,):
            if step == "version":
                answer = self._send(LIVE, f"/proofs/{line.id.value}/versions", {"artwork_id": self.artwork})
            elif step == "sign":
                body = {"version": max(line.version, 1)}
                answer = self._send("session.approver", f"/proofs/{line.id.value}/sign", body)
            else:
                answer = self._send(LIVE, f"/proofs/{line.id.value}/review", {"decision": step})
            self._agree(answer, lambda step=step: order.prove(line, step))  # type: ignore[misc]

    @precondition(lambda self: len(self.money.invoices) < 5)
    @rule(place=st.none() | places, amount=st.sampled_from((5_000, 9_200, 20_000)))
    def deposit(self, place: int | None, amount: int) -> None:
        """Ask for a deposit invoice, for the balance or an order (T-4.186, A5.9)."""
        order = None if place is None or not self.team.orders else pick(self.team.orders, place)
        body = {"amount_cents": amount} | ({"campaign_id": order.id.value} if order else {})
        answer = self._send("second", "/deposit-invoices", body)
        self._agree(answer, lambda: self.money.issue("deposit", amount, order), views.invoice)

    @precondition(lambda self: self.done)
    @rule(place=places, changed=st.booleans())
    def repeat(self, place: int, *, changed: bool) -> None:
        """Repeat a call: the same answer and no effect; with another payload it is refused (rule 1 of section 4)."""
        method, key, path, body, number, first, at = pick(self.done, place)
        if self.team.now - at >= 86_400:
            return  # the key may be forgotten (A3.2)
        body = body | {"unknown": 1} if changed else body
        answer = self.world.call(key, method, API + path, body, Idempotency_Key=number)
        if changed:
            assert_same((409, "idempotency_key_reused"), (answer.status, answer.code), "the refusal")
        else:
            assert answer == first

    @precondition(lambda self: self.lost)
    @rule(place=places)
    def retry(self, place: int) -> None:
        """Repeat a call that crashed after it paid: it goes on once the outcome is known (A8.7, G58)."""
        (key, path, body, number), payment = pick(self.lost, place)
        bill: Any = payment.bill
        is_known = bill.payment is None or bill.payment.status == "settled"
        if is_known and self.team.now - bill.decided_at >= 86_400:
            return  # the key may be forgotten
        answer = self.world.call(key, "POST", API + path, body, Idempotency_Key=number)

        def act() -> Any:
            if not is_known:
                raise Refused(409, "idempotency_in_progress")
            if isinstance(bill, Order):
                if bill.status == "awaiting_approval" and bill.payment is None:
                    self._pay_or_hold(bill, self.keys[key])
            elif bill.status != "paid":
                bill.campaign.process(self.keys[key])
            self.lost.remove(((key, path, body, number), payment))
            return bill

        self._agree(answer, act, views.order if isinstance(bill, Order) else None)

    # People outside

    @precondition(lambda self: any(each.status == "awaiting_approval" for each in self.team.held))
    @rule(
        place=places, by_id=st.booleans(), decision=st.sampled_from(("approve", "approve", "approve", "reject", "ask"))
    )
    def decide(self, place: int, decision: str, *, by_id: bool) -> None:
        """A human decides an approval, or the pending one of a record, which is asked for if it is absent (G41)."""
        held = pick(self.team.held, place, lambda row: row.status == "awaiting_approval")
        approval = held.approvals[0 if place == MOST else -1] if by_id and held.approvals else None
        self._decide(held, decision, None if decision == "ask" else approval)

    @precondition(lambda self: self.changes < MOST)
    @rule(item=st.sampled_from(("mug-01", "pen-01")), cents=st.sampled_from((600, 1_800, 2_000)))
    def change_price(self, item: str, cents: int) -> None:
        """A price of the catalogue changes."""
        self.changes += 1
        self._verb("price", product=item, price_cents=cents)
        self.team.prices[item] = self.sandbox.prices[item] = cents

    @precondition(lambda self: self.changes < MOST)
    @rule(cents=st.sampled_from((-4_000, 3_000, 15_000)), credit=st.sampled_from((None, 5_000, 25_000)),
          status=st.sampled_from((None, None, "active", "suspended")))  # fmt: skip
    def change_money(self, cents: int, credit: int | None, status: str | None) -> None:
        """The team's money changes."""
        self.changes += 1
        terms: dict[str, Any] = {"credit_limit_cents": credit} if credit else {}
        terms |= {"status": status} if status else {}
        answer = self.world.verb("team", add_cents=cents, **({"credit": terms} if terms else {}))

        def act() -> None:
            if cents < 0 and self.money.balance + cents < 0:
                raise Refused(409, "invalid_state")
            self.money.change_balance(cents)
            self.money.credit = credit or self.money.credit
            self.money.terms_status = status or self.money.terms_status

        self._agree(answer, act)

    @precondition(lambda self: any(each.status == "open" for each in self.money.invoices))
    @rule(place=places)
    def pay_invoice(self, place: int) -> None:
        """The team's bank pays an invoice (T-6.12)."""
        invoice = pick(self.money.invoices, place, lambda row: row.status == "open")
        self._agree(self.world.verb("invoice", invoice_id=invoice.id.value), lambda: self.money.pay_invoice(invoice))

    @precondition(lambda self: any(each.is_undecided for each in self.money.payments))
    @rule(place=places, outcome=st.sampled_from(("settled", "failed", "uncertain")))
    def end_payment(self, place: int, outcome: str) -> None:
        """The outcome of a payment becomes known, or unknown (A5.4, A8.7)."""
        known = [each for each in self.money.payments if each.id.value]
        payment = pick(known, place, lambda row: row.is_undecided)
        answer = self.world.verb("payment", payment_id=payment.id.value, outcome=outcome)
        act = {"settled": self.money.settle, "failed": self.money.fail, "uncertain": self.money.lose}[outcome]
        self._agree(answer, lambda: act(payment))

    @precondition(lambda self: any(each.is_started for each in self.team.sends))
    @rule(place=places, who=places, act=st.sampled_from(("claim", "claim", "claim", "resend", "move")),
          to=st.sampled_from(("in_production", "labeled", "shipped", "delivered", "delayed", "rejected")))  # fmt: skip
    def parcel(self, place: int, who: int, act: str, to: str) -> None:
        """A recipient claims or gets a new link, or a parcel is moved (T-6.5 to T-6.8)."""
        send = pick([each for each in self.team.sends if each.is_started], place)
        parcel = pick(send.parcels, who, lambda row: row.status in ("awaiting", "expired") or act == "move")
        self._parcel(send, parcel, act, to)

    def _parcel(self, send: Send, parcel: Parcel, act: str, to: str = "") -> None:
        body = named(send, parcel)
        if act == "move":
            self._agree(self.world.verb("shipment", **body, to=to), lambda: self.team.move(send, parcel, to))
        elif act == "resend":
            self._agree(self.world.verb("claim_link", **body, resend=True), lambda: self.team.resend(send, parcel))
        else:
            self._agree(self.world.verb("claim", **body), lambda: self.team.claim(send, parcel))

    @precondition(lambda self: self.team.held)
    @rule(place=places, steps=st.integers(1, 5))
    def go_on(self, place: int, steps: int) -> None:
        """Something takes its usual next steps: it is prepared, approved, paid and claimed, then time passes."""
        held = pick(self.team.held, place, lambda row: row.status not in ("rejected", "canceled", "stopped", "expired"))
        for _ in range(steps):
            sends = held.batches if isinstance(held, Campaign) else [held]
            waiting = [
                (each, parcel)
                for each in sends
                if each.is_started
                for parcel in each.parcels
                if parcel.status == "awaiting"
            ]
            if isinstance(held, Campaign) and held.status in ("preparing", "approved"):
                self._process(held, held.key.name)
            elif held.status == "awaiting_approval":
                self._decide(held, "approve")
            elif waiting:
                self._parcel(*waiting[0], "claim")
            else:
                self.pass_time(24)
            self.compare()

    @rule(hours=st.sampled_from((1, 7, 24, 24, 48, 120, 31 * 24)))
    def pass_time(self, hours: int) -> None:
        """Time passes."""
        self.world.advance(by=f"{hours}h")
        self.team.advance(hours * 3600)
        self.sandbox.advance(hours * 3600)
