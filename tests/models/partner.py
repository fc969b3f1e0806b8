"""The partner interface as the documents state it. Ids such as P-3.11, B15 or G32 name the statement or decision.

`Partner` is the whole account of it: each public method is a call, or what somebody outside the service does, and gives
the reply that the documents demand. Nothing here knows how the product works. The parts: which bodies are refused
(`partner_bodies`), how charges are paid (`partner_money`), orders (`partner_orders`), what moves parcels
(`partner_parcels`), and webhooks (`partner_webhooks`). `partner_machine` makes the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tests.models.compare import Learned
from tests.models.partner_bodies import first_mistake, without_nulls
from tests.models.partner_money import NET_TERMS, Account, Charge, Key, charge, settlement
from tests.models.partner_orders import EVENTS, Mail, Order, Parcel, new_order
from tests.models.partner_refunds import Refunds
from tests.models.partner_replies import Reply, refused
from tests.models.partner_timetable import LEAD, STAGES
from tests.models.partner_webhooks import DAY, HOUR, Endpoint, Json


class Partner(Refunds):
    """All accounts of partners in one world, from `now` on, in whole seconds."""

    def __init__(self, now: int, prices: Mapping[str, int], unreviewed: Sequence[str]) -> None:
        super().__init__(now)
        self.prices, self.unreviewed = dict(prices), set(unreviewed)
        self.off: set[str] = set()  # the items and options that are off sale (G444)
        self.orders: list[Order] = []
        self.bound: dict[tuple[int, str], tuple[Json, Order | Charge]] = {}
        self.reconcile, self.lead = "never", dict(LEAD)
        self.mails: list[Mail] = []
        self.reserves_options = False  # by a setting
        self.labels = {status: Learned(str) for status in (*STAGES, *EVENTS, "awaiting", "canceled")}

    # Team orders

    def create(self, key: Key, body: Json, fault: str = "") -> Reply:
        """Create an order and charge it once, or repeat the call that did (P-1.1, P-4.17, P-4.19)."""
        body = without_nulls(body)
        name = (id(key.account), body.get("idempotency_key", ""))  # a key is bound to an account (001, 5.1; B5)
        if name in self.bound:
            earlier, order = self.bound[name]
            if earlier != body:
                return refused("idempotency_payload_mismatch")  # P-7.21
            assert isinstance(order, Order)
            return self._repeat(order, key, fault)
        code, beside = first_mistake(body, self.now, self.prices, self.unreviewed, self.off)
        if code:
            return refused(code, **beside)  # the key stays free (B4, P-7.10)
        self.orders.append(new_order(key, body, self.prices, self.labels, self.lead, self.calendar, self.now))
        self.bound[name] = (body, self.orders[-1])
        return self._charge(self.orders[-1], key, fault)

    def _repeat(self, order: Order, key: Key, fault: str) -> Reply:
        """A paid order's answer is given again; an unpaid one is charged again, unless it was canceled (0.10, B6)."""
        if order.outcome_unknown:
            return refused("idempotency_outcome_unknown")  # P-7.22
        if order.paid_at is not None:
            return Reply(201, "", self._answer(order))
        if order.status == "canceled":
            return Reply(200, "", order.created(self.now))  # B6
        return self._charge(order, key, fault)

    def _charge(self, order: Order, key: Key, fault: str) -> Reply:
        """Charge the shares of the parcels that are live (G32). A refusal leaves the order unpaid (P-3.1, P-7.16)."""
        made = charge(key, order.totals()["total_cents"], self.now, fault)
        if made.status == "failed":
            return refused(made.code, team_order_id=order.id)
        order.charge, made.turn, made.sent_at = made, next(self.turns), self.now
        if made.status == "unknown":
            return Reply(0)  # the connection closes without an answer (G28)
        self._start(order)
        return Reply(201, "", self._answer(order))

    def _answer(self, order: Order) -> Json:
        """The first answer is repeated as it was, even if the order has moved on (P-4.17)."""
        order.answer = order.answer or order.created(self.now)
        return order.answer

    def _start(self, order: Order) -> None:
        """From the payment on, links work and expire, and parcels with an address are on their way (P-1.2, G32)."""
        assert order.charge
        order.fixed_totals, order.paid_at, order.wallet_left = order.totals(), self.now, order.charge.wallet
        expires_at = self.now + order.expiry_days * DAY if order.linked else None  # P-2.10, B19
        for parcel in order.live:
            parcel.since, parcel.expires_at, parcel.turn = self.now, expires_at, next(self.turns)
            self._mail(parcel)
            self._act_on_postcode(parcel)

    def _mail(self, parcel: Parcel) -> None:
        """A claim link is mailed when it opens; an open seat has none of its own (P-2.16, G29)."""
        if parcel.has_link and parcel.email:
            parcel.mail = Mail(self.now, parcel.email)
            self.mails.append(parcel.mail)

    def bounce(self, parcel: Parcel) -> Reply:
        """The mail with a recipient's link bounces, once; nothing else changes (G458)."""
        if parcel.mail is None:
            return Reply(404)
        if parcel.mail.bounced_at is not None:
            return Reply(409)
        parcel.mail.bounced_at = self.now
        return Reply(200)

    def of(self, account: Account) -> list[Order]:
        """The account's orders, newest first (P-1.9, P-4.2)."""
        return [order for order in reversed(self.orders) if order.account is account]

    def listed(self, account: Account, status: str | None = None, limit: int = 20, offset: int = 0) -> Json:
        """P-4.3, P-4.4, P-4.5, B1."""
        found = [order for order in self.of(account) if status in (None, order.status)]
        page = [order.json(self.now, read=True) for order in found[offset : offset + limit]]
        return {"team_orders": page, "limit": limit, "offset": offset, "total": len(found)}

    def cancel(self, order: Order, ids: Sequence[int] | None = None) -> Reply:
        """Cancel recipients before production, and refund their shares (P-3.11 to P-3.16, P-4.11, B39)."""
        if ids is not None and not ids:
            return refused("invalid_body")  # B39
        if ids is not None and not {*ids} <= {parcel.id.value for parcel in order.parcels}:
            return refused("recipient_not_found")  # P-7.19: nobody is canceled
        if order.outcome_unknown:
            return refused("idempotency_outcome_unknown")  # G28
        asked = [parcel for parcel in order.parcels if ids is None or parcel.id.value in ids]
        already = [parcel.ids() for parcel in asked if parcel.status == "canceled"]
        late = [parcel for parcel in asked if not parcel.can_be_canceled and parcel.status != "canceled"]
        skipped = [{**parcel.ids(), "reason": Learned(str)} for parcel in late]  # P-3.12
        canceled = [self._cancel(parcel) for parcel in asked if parcel.can_be_canceled]
        parts = [[row["refund"][name] for row in canceled] for name in ("wallet_cents", "card_cents")]
        self.give_back(order, *map(sum, parts))
        if not canceled:
            return refused("nothing_to_cancel", skipped=skipped, already_canceled=already)  # P-7.23, G181
        return Reply(
            200, "",
            {
                "ok": True, "team_order_id": order.id, "canceled": canceled, "skipped": skipped,
                "already_canceled": already,
                "refunded_cents": sum(row["refund"]["total_cents"] for row in canceled),
            },
        )  # fmt: skip

    def _cancel(self, parcel: Parcel) -> Json:
        """The share goes back to the wallet as far as that paid the order, then to the card (P-3.13, P-3.14, B15)."""
        order, wallet, card = parcel.order, 0, 0
        if order.paid_at is not None:
            wallet, card = self.share_out(parcel)
        parcel.status, parcel.refunded = "canceled", wallet + card
        order.note_delivery()
        refund = {"wallet_cents": wallet, "card_cents": card, "total_cents": wallet + card}
        return {**parcel.ids(), "was_paid": order.paid_at is not None, "refund": refund}  # P-2.34 to P-2.37

    def ping(self, endpoint: Endpoint) -> Reply:
        """A ping is sent at once, and never again (P-4.16, B29); a disabled endpoint has none (B28)."""
        if not endpoint.active:
            return refused("endpoint_not_found")
        answer = self.webhooks.ping(endpoint, self.now)
        well = answer is not None and 200 <= answer < 300
        return Reply(200, "", {"ok": well, "status_code": answer, "event_id": self.webhooks.arrivals[-1].event.id})

    # Claims

    def claim(
        self,
        parcel: Parcel,
        address: Json,
        *,
        by_link: bool,
        selection: Json | None,
        name: str = "",
        email: str = "",
    ) -> Reply:
        """A recipient enters an address, or the account does, also after the link has expired (B17, G33)."""
        if parcel.status == "canceled":
            return Reply(410)  # P-3.11
        if parcel.order.paid_at is None:
            return Reply(409)  # B20
        if parcel.status not in (("awaiting",) if by_link else ("awaiting", "expired")):
            return Reply(410)  # used or expired (B17)
        if address["country"] not in parcel.order.countries:
            return Reply(422)  # G34
        if any(str(option) in self.off for option in (selection or {}).values()) and not self.reserves_options:
            return Reply(422)  # an option that is off sale (G446)
        if not parcel.has_link and not (name.strip() and email):
            return Reply(422)  # an open seat asks for them (B17)
        if not parcel.has_link:
            parcel.name, parcel.email = name, email
        parcel.address, parcel.selection = {"state": None, **address}, selection  # P-2.6
        link_works = parcel.status == "awaiting"
        self._enter(parcel, "submitted")  # P-3.8
        if link_works:
            self._tell(parcel, "team_order.claimed", {})  # P-6.1; an address from the account is not a claim (G33)
        self._act_on_postcode(parcel)
        return Reply(200)

    def claim_seat(self, order: Order, address: Json, selection: Json | None, name: str, email: str) -> Reply:
        """The shared link gives the next free seat (P-2.8, G29), and nobody a second one (G370)."""
        seats = [parcel for parcel in order.parcels if not parcel.has_link]
        if email and any(each.status != "canceled" and (each.email or "").lower() == email.lower() for each in seats):
            return Reply(200)
        if all(seat.status == "canceled" for seat in seats):
            return Reply(410)
        if order.paid_at is None:
            return Reply(409)  # B20
        free = next((seat for seat in seats if seat.status == "awaiting"), None)
        if free is None:
            return Reply(410 if "expired" in [seat.status for seat in seats] else 409)  # or exhausted (B52)
        return self.claim(free, address, by_link=True, selection=selection, name=name, email=email)

    def resend(self, parcel: Parcel, days: int | None = None) -> Reply:
        """A new link in a new mail; the old one is dead, and the recipient is awaited again (G33)."""
        if parcel.order.paid_at is None and parcel.status != "canceled":
            return Reply(409)
        if parcel.status not in ("awaiting", "expired"):
            return Reply(410)
        parcel.expires_at = self.now + (days or parcel.order.expiry_days) * DAY
        parcel.link = Learned(str)
        self._mail(parcel)
        self._enter(parcel, "awaiting")
        return Reply(200)

    # Money

    def settle(self, key: Key, body: Json, fault: str = "") -> Reply:
        """Pay by card what is owed on net terms, or a part of it (P-1.7, B16, G35)."""
        body, account = without_nulls(body), key.account
        name = (id(account), body.get("idempotency_key", ""))
        earlier = self.bound.get(name, (None, None))[1]
        if isinstance(earlier, Charge) and earlier.status == "unknown":
            return refused("idempotency_outcome_unknown")  # G58
        if isinstance(earlier, Charge) and earlier.status == "paid":
            return Reply(200, "", _settled(earlier))
        if account.mode != NET_TERMS or not account.owed:
            return refused("nothing_to_settle")
        if body.get("amount_cents", 0) > account.owed:
            return refused("invalid_body")
        if any(each.card and each.status == "unknown" for each in self._settlements(account)):
            return refused("idempotency_outcome_unknown")
        made = settlement(key, body.get("amount_cents", account.owed), fault)
        if made.status == "failed":
            return refused(made.code)
        made.turn, made.sent_at = next(self.turns), self.now
        self.bound[name if name[1] else (id(account), f"settlement {made.turn}")] = (body, made)
        return Reply(0) if made.status == "unknown" else Reply(200, "", _settled(made))

    def _settlements(self, account: Account) -> list[Charge]:
        made = [each for _, each in self.bound.values() if isinstance(each, Charge)]
        return [each for each in made if each.key.account is account]

    def resolve(self, what: Order | Charge, outcome: str) -> Reply:
        """The outcome of a charge becomes known (G28)."""
        made = what.charge if isinstance(what, Order) else what
        if made is None or made.status != "unknown":
            return Reply(409)
        made.close(outcome == "paid")
        if isinstance(what, Order) and outcome == "paid":
            self._start(what)
        return Reply(200)

    def resolve_settlement(self, account: Account, name: str, outcome: str) -> Reply:
        """The outcome of a settlement becomes known, by its idempotency key (G58)."""
        earlier = self.bound.get((id(account), name), (None, None))[1]
        return self.resolve(earlier, outcome) if isinstance(earlier, Charge) else Reply(404)

    def reconcile_unknown(self, choice: str) -> None:
        """From now on the hourly run closes charges whose outcome is unknown, or never does (G28)."""
        self.reconcile = choice
        for _, made in self.unknown():
            made.turn = next(self.turns)

    # Time

    def next_due(self) -> int | None:
        """The next instant at which something happens by itself."""
        instants = [plan[0] for order in self.orders for parcel in order.parcels for plan in parcel.plans()]
        instants += [at for at in (self.webhooks.next_due(), *(each.due for each in self.refunds)) if at is not None]
        if self.reconcile != "never" and self.unknown():
            instants.append((self.now // HOUR + 1) * HOUR)  # G28
        return min(instants, default=None)

    def advance(self, to: int) -> None:
        """At each instant first what happens to records, in their turns, then the hourly run and retries (B45)."""
        while (at := self.next_due()) is not None and at <= to:
            self.now, self.by_time = at, True
            while due := self._due_now():
                min(due, key=lambda each: each[0])[1]()
            self.by_time = False
            self.webhooks.run(at)
        self.now = to

    def _due_now(self) -> list[tuple[int, Callable[[], Any]]]:
        """What time brings about now, each with its turn."""
        found: list[tuple[int, Callable[[], Any]]] = []
        for parcel in [parcel for order in self.orders for parcel in order.parcels]:
            found += [
                (turn, partial(self._pass, parcel, status)) for at, turn, status in parcel.plans() if at <= self.now
            ]
        found += [
            (each.turn, partial(self.end_refund, each))
            for each in self.refunds
            if each.due is not None and each.due <= self.now
        ]
        if self.reconcile != "never" and self.now % HOUR == 0:
            for what, made in self.unknown():
                if made.sent_at < self.now:
                    found.append((made.turn, partial(self.resolve, what, self.reconcile)))
        return found

    def _pass(self, parcel: Parcel, status: str) -> None:
        """A plan of a parcel is carried out; a postcode's is given up if the parcel is already further."""
        if parcel.magic and parcel.magic[0] <= self.now and parcel.magic[2] == status:
            parcel.magic = None
            self.move(parcel, status)
        else:
            self._enter(parcel, status)

    def unknown(self) -> list[tuple[Order | Charge, Charge]]:
        """The orders and settlements whose charge has an unknown outcome (G28)."""
        bound = [what for _, what in self.bound.values()]
        made = [(what, what.charge if isinstance(what, Order) else what) for what in bound]
        return [(what, each) for what, each in made if each is not None and each.status == "unknown"]


def _settled(made: Charge) -> Json:
    """B16."""
    return {
        "ok": True, "settled_cents": made.card, "new_cash_balance_cents": made.balance_after,
        "payment_transaction_id": made.transaction,
    }  # fmt: skip
