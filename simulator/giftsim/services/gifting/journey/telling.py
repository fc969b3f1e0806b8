"""The words for what happened to an order, gift or campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.engine.provenance.causes import Cause
from giftsim.services.gifting.domain.fulfilment import offer
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    DELIVERED,
    EXPIRED,
    IN_PRODUCTION,
    LABELED,
    REJECTED,
    SHIPPED,
    SUBMITTED,
    Shipment,
)
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.domain.money.charge import FAILED, PAID, Charge
from giftsim.services.gifting.domain.team.billing.invoice import NET_TERMS
from giftsim.services.gifting.domain.team.billing.payment import SETTLED
from giftsim.services.gifting.journey.traveller import Traveller
from giftsim.services.gifting.records.gifting_kinds import APPROVAL, CHARGE, PARCEL, PAYMENT
from giftsim.services.gifting.records.timeline import RETURNED, Step
from giftsim.services.gifting.why.wording import dollars

MONEY, OTHER = "money", "record"
REFUND: Final = "refund"
NAMED: Final = 3  # people whom a sentence names
_MADE: Final = {"order": "placed the order", "gift": "made the gift", "campaign": "started the campaign"}
_PARCEL: Final = {
    IN_PRODUCTION: "Production started",
    LABELED: "The label was printed",
    SHIPPED: "Shipped",
    DELIVERED: "Delivered",
    DELAYED: "Delayed",
    REJECTED: "Rejected by production",
    EXPIRED: "The claim link expired",
    CANCELED: "Canceled",
}
# The same of parcels that the carrier has.
_IN_TRANSIT: Final = {DELAYED: "Delayed in transit", REJECTED: "Lost, returned or refused in transit"}
_CLAUSES: Final = {
    IN_PRODUCTION: "production started",
    LABELED: "the label was printed",
    SHIPPED: "it was shipped",
    EXPIRED: "the claim link expired",
}
_APPROVAL: Final = {
    "requested": "Approval was requested",
    "approved": "Approved",
    "rejected": "Not approved",
    "canceled": "Nobody decided in time",
}
# What a moment is told by, before its other steps: the least comes first.
_FIRST: Final = {"created": 0, "requested": 2, "approved": 1, "rejected": 1}


class Teller:
    """Tells steps of one traveller in words."""

    def __init__(self, state: State, traveller: Traveller) -> None:
        self._state, self._traveller = state, traveller
        self._rows = {parcel.order_id: (recipient, parcel) for recipient, parcel in traveller.parts.rows}
        self._charges: dict[object, Charge] = {each.transaction_id: each for each in traveller.parts.charges}
        self._payments = {each.id: each for each in traveller.parts.payments}

    def main(self, steps: Sequence[Step]) -> Step:
        """The step by which a moment is told."""
        return min(steps, key=_weight)

    def others(self, steps: Sequence[Step], main: Step) -> list[list[Step]]:
        """The steps of a moment that are effects of its main one, those alike together."""
        told: dict[tuple[object, ...], list[Step]] = {}
        for step in steps:
            if _alike(step) != _alike(main) and not self._is_implied(step, steps):
                told.setdefault(_alike(step), []).append(step)
        return list(told.values())

    def _is_implied(self, step: Step, steps: Sequence[Step]) -> bool:
        """Whether others of its moment say as much: a payment that began and is settled, the charge of a payment."""
        if step.subject.kind == PAYMENT.name and step.status == "created":
            return any(each.subject == step.subject and each is not step for each in steps)
        if step.subject.kind == CHARGE.name:
            return any(each.subject.kind == PAYMENT.name for each in steps)
        return step.status == "started" and len(steps) > 1

    def headline(self, steps: Sequence[Step], cause: Cause | None) -> str:
        """What happened in a moment."""
        main = self.main(steps)
        alike = [step for step in steps if _alike(step) == _alike(main)]
        if main.subject.kind == PARCEL.name:
            return self._moved(alike)
        if main.status == "created" and main.subject.kind in _MADE:
            did = _MADE[main.subject.kind]
            if cause is not None and cause.kind == "call":
                return f"Your app {did}"
            verb, _, rest = did.partition(" ")
            return f"{rest.capitalize()} was {verb}"
        return self.effect([main])[1]

    def clause(self, step: Step) -> str:
        """A step of a parcel as part of a sentence: `Bo claimed it`, `the label was printed`."""
        if step.status == SUBMITTED:
            row = self._rows.get(_number(step.subject))
            return f"{(row and (row[0].name or row[0].email)) or 'somebody'} claimed it"
        return _CLAUSES.get(step.status, f"it was {step.status.replace('_', ' ')}")

    def effect(self, alike: Sequence[Step]) -> tuple[str, str, Ref | None]:
        """Steps that are alike as an effect: its kind, what happened, and the record."""
        step = alike[0]
        kind = step.subject.kind
        if kind == CHARGE.name:
            return MONEY, self._charged(step), None
        if kind == PAYMENT.name:
            return MONEY, self._paid(step), None
        if kind == REFUND:
            return MONEY, f"${step.detail} was paid back", None
        if kind == APPROVAL.name:
            words = _APPROVAL.get(step.status, step.status)
            return OTHER, f"{words}: {step.detail}" if step.detail else words, step.subject
        if kind == PARCEL.name:
            return OTHER, self._moved(alike), None
        if step.detail and step.detail.startswith("batch"):
            return OTHER, f"{step.detail.capitalize()} was {step.status}", None
        return OTHER, "Claim links work and lead times run" if step.status == "started" else step.status, None

    def _charged(self, step: Step) -> str:
        charge = self._charges[step.subject.id]
        amount = dollars(charge.amount_cents)
        if step.status == PAID:
            account = self._state[ACCOUNTS].get(charge.account)
            source = "the card" if not charge.wallet_cents else "wallet and card" if charge.card_cents else "the wallet"
            return f"Paid {amount} from {source}" + (f" of {account.label}" if account.label else "")
        if step.status == FAILED:
            return f"The payment of {amount} failed: {_reason(str(charge.code))}"
        return f"The outcome of the payment of {amount} is unknown"

    def _paid(self, step: Step) -> str:
        payment = self._payments[step.subject.id]
        amount, method = dollars(payment.amount_cents), payment.method.replace("_", " ")
        if step.status == FAILED:
            return f"The payment of {amount} by {method} failed"
        if step.status == RETURNED:
            return f"The bank took {amount} back"
        if step.status == SETTLED:
            return f"Paid {amount} {'on terms' if payment.method == NET_TERMS else f'from the {method}'}"
        return f"A payment of {amount} by {method} began"

    def _moved(self, steps: Sequence[Step]) -> str:
        """What parcels became, with whose they are if others stayed."""
        first = steps[0]
        rows = [row for step in steps if (row := self._rows.get(_number(step.subject))) is not None]
        if first.status == SUBMITTED:
            return self._claimed(rows)
        words = _PARCEL.get(first.status, first.status.replace("_", " ").capitalize())
        if first.status in _IN_TRANSIT and any(parcel.shipped_at_ms is not None for _, parcel in rows):
            words = _IN_TRANSIT[first.status]
        carriers = Counter(parcel.carrier for _, parcel in rows if parcel.carrier)
        if first.status == SHIPPED and len(carriers) == 1:
            words += f" with {next(iter(carriers))}"
        if self._traveller.recipient_count > 1:
            words += f": {_people([recipient for recipient, _ in rows])}"
        reason = rows[0][0].cancel_reason if len(rows) == 1 and first.status == CANCELED else None
        return f"{words} ({reason})" if reason else words

    def _claimed(self, rows: Sequence[tuple[Recipient, Shipment]]) -> str:
        if len(rows) != 1:
            return f"{_people([recipient for recipient, _ in rows])} said where it goes"
        recipient = rows[0][0]
        name, picked, address = (
            recipient.name or recipient.email or "Somebody",
            self._picked(recipient),
            recipient.address,
        )
        place = ", ".join(filter(None, (address.city, address.state or address.country))) if address else ""
        if picked and place:
            return f"{name} chose {picked}, {place}"
        return f"{name} chose {picked}" if picked else f"{name} said where it goes: {place}"

    def _picked(self, recipient: Recipient) -> str:
        """What a recipient chose, by the names of the options."""
        choices = {each.variation_id: each for each in offer.list_choices(self._state, self._order(recipient))}
        names = [
            option.name
            for variation, option_id in recipient.selection or ()
            if variation in choices
            for option in (*choices[variation].options, *choices[variation].gone)
            if option.id == option_id
        ]
        return " and ".join(names)

    def _order(self, recipient: Recipient) -> Fulfilment:
        return self._state[FULFILMENTS].get(recipient.order)


def _weight(step: Step) -> tuple[int, int]:
    if step.subject.kind in (CHARGE.name, PAYMENT.name, REFUND) or step.status == "started":
        return 5, 0
    return _FIRST.get(step.status, 3), 0


def _alike(step: Step) -> tuple[object, ...]:
    """What steps have in common that are told together."""
    return (PARCEL.name, step.status) if step.subject.kind == PARCEL.name else (step.subject, step.status, step.detail)


def _number(ref: Ref) -> int:
    return ref.id if isinstance(ref.id, int) else 0


def _people(recipients: Sequence[Recipient]) -> str:
    if len(recipients) > 1 and not any(each.name or each.email for each in recipients):
        return f"{len(recipients):,} open seats"
    return phrase_names([each.name or each.email or "an open seat" for each in recipients[:NAMED]], len(recipients))


def phrase_names(names: Sequence[str], count: int) -> str:
    """The first names of `count` people as part of a sentence: `Bo, Cy and 3 others`."""
    left = count - len(names)
    if left:
        return f"{', '.join(names)} and {left:,} {'other' if left == 1 else 'others'}"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nobody"


def _reason(code: str) -> str:
    return code.removesuffix("_no_card").replace("card_charge_failed", "the card was declined").replace("_", " ")
