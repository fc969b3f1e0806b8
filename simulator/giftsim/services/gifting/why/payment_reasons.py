"""Why something is not paid: a proof is not signed, a charge was refused, the money does not reach, or nobody paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from giftsim.engine.gateway.reason import Act, Proof, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import API_KEYS, ApiKey
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, PartnerOrder
from giftsim.services.gifting.domain.fulfilment.order_charge import PURPOSE
from giftsim.services.gifting.domain.money.account import ACCOUNTS, GOOD_CARD, NO_CARD, Account
from giftsim.services.gifting.domain.money.charge import CHARGES, FAILED, Charge, failed_key, refusal_code, spend_day
from giftsim.services.gifting.domain.money.money_errors import (
    CardChargeFailed,
    CreditLimitExceeded,
    DailySpendLimitExceeded,
)
from giftsim.services.gifting.domain.team.billing.billable import bill_of
from giftsim.services.gifting.domain.team.billing.invoice import has_returned
from giftsim.services.gifting.domain.team.billing.payment import PAYMENTS, PENDING, SETTLED, Payment, payment_of
from giftsim.services.gifting.domain.team.billing.wallet import balance_account, read_balance, read_terms
from giftsim.services.gifting.domain.team.design.proof import (
    IN_REVIEW,
    PROOFS,
    READY_TO_SIGN,
    SIGNED,
    list_proofs,
    unsigned_item,
)
from giftsim.services.gifting.domain.team.design.proof import Proof as Artwork
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import pays_on_approval
from giftsim.services.gifting.domain.team.orders.team_order import ORDER_ITEMS, OrderItem
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.records.key_credentials import credential_name
from giftsim.services.gifting.why.wording import dollars, phrase_record

_NOT_SIGNED: Final = frozenset({"proof_not_signed"})
# Why a payment of a key is refused whatever money there is, and what would change that.
_LIMITS: Final[Mapping[str, tuple[str, tuple[Act, ...]]]] = {
    "spending_ceiling_exceeded": ("it is more than the key may pay at once", ()),
    "monthly_cap_exceeded": ("it would take the key above its limit for the month", ()),
    "payment_not_permitted": ("the key may not pay for it", ()),
    "ach_not_enabled": ("ACH is not enabled for the team", (Act("team", {"ach_enabled": True}),)),
}
_TEAM_CODES: Final = frozenset({"insufficient_balance", "credit_unavailable"})


# Partners


def order_charge_reasons(state: State, ref: Ref, order: PartnerOrder) -> Iterator[Reason]:
    """Why an unpaid order of a partner is not paid."""
    if order.charge is not None and (charge := state[CHARGES].get(order.charge)).unknown:
        yield _unknown(ref, charge)
        return
    failed = state[CHARGES].slots_in("unpaid", failed_key(PURPOSE, order.n))
    if failed:
        yield _refused(state, ref, state[CHARGES].get(failed[-1]))


def _unknown(ref: Ref, charge: Charge) -> Reason:
    return Reason(
        kind="not_paid",
        sentence=f"{phrase_record(ref)} is unpaid: the outcome of its charge {charge.transaction_id} of"
        f" {dollars(charge.amount_cents)} is unknown (idempotency_outcome_unknown)",
        proofs=(Proof(CHARGES.name, charge.n, None, None, "was charged, and the outcome was not recorded"),),
        acts=(Act("outcome", {"team_order_id": ref.id, "outcome": "paid"}),),
        codes=frozenset({"idempotency_outcome_unknown"}),
    )


def _refused(state: State, ref: Ref, charge: Charge) -> Reason:
    """A charge was refused, with what the account lacks, as far as it lacks it still."""
    account, code = state[ACCOUNTS].get(charge.account), str(charge.code)
    key = None if charge.key is None else state[API_KEYS].get(charge.key)
    lack = _lack(state, account, key, charge)
    refused = Proof(CHARGES.name, charge.n, "status", FAILED, f"was refused: {code}")
    words = "it has not been charged again since" if lack is None else lack.words
    return Reason(
        kind="not_paid",
        sentence=f"{phrase_record(ref)} is unpaid: its charge of {dollars(charge.amount_cents)} was refused with"
        f" {code};"
        f" {words}",
        proofs=(refused,) if lack is None else (refused, lack.proof(account)),
        acts=() if lack is None else (lack.act(account, key),),
        why_not="nobody outside charges it: send the same call again, with its idempotency_key"
        if lack is None
        else None,
        codes=frozenset({code}),
    )


class Lack(NamedTuple):
    """What an account lacks for a charge: `changes` would give it. `member` shows it, with its value `has`."""

    words: str
    member: str
    has: Any
    changes: Mapping[str, Any]

    def proof(self, account: Account) -> Proof:
        """The change with which the account got to what it has."""
        return Proof(ACCOUNTS.name, account.n, self.member, self.has, f"the account has {self.member} {self.has}")

    def act(self, account: Account, key: ApiKey | None) -> Act:
        """What gives it: the method `fund` of the fixture if it is money for a key with a name."""
        if key is None or not key.label:
            return Act("account", {"account_id": account.id, **self.changes})
        name, cents = credential_name(key), self.changes.get("add_cents")
        pytest = None if cents is None else f'giftsim.fund({cents}, "{name}")'
        return Act("account", {"key": name, **self.changes}, pytest)


def _lack(state: State, account: Account, key: ApiKey | None, charge: Charge) -> Lack | None:
    """What the account lacks now for a charge that was refused; None if it has enough, or if a fault refused it."""
    code, cents, line_cents = charge.code, charge.amount_cents, account.credit_limit_cents
    now = None if key is None else refusal_code(account, key, cents, spend_day(state.now_ms))
    if code == CardChargeFailed.code and now is None and account.card not in (GOOD_CARD, NO_CARD):
        return Lack(f"its card is {account.card}", "card", account.card, {"card": GOOD_CARD})
    if now != code:
        return None
    free_cents = account.cash_cents - account.held_cents
    if code == DailySpendLimitExceeded.code:
        limit_cents = account.daily_limit_cents or 0
        words = f"it would take its key above the limit of {dollars(limit_cents)} a day"
        return Lack(words, "daily_limit_cents", limit_cents, {"daily_limit_cents": None})
    if code == CreditLimitExceeded.code:
        words = f"its account owes {dollars(account.owed_cents)} of its credit line of {dollars(line_cents)}"
        return Lack(words, "credit_limit_cents", line_cents, {"credit_limit_cents": cents - free_cents})
    card = "no card is saved" if account.card == NO_CARD else "its card may not pay the rest"
    words = f"its wallet has {dollars(free_cents)}, and {card}"
    return Lack(words, "cash_cents", account.cash_cents, {"add_cents": cents - free_cents})


# Teams


class Payable(NamedTuple):
    """What a team pays for, and how sentences call it. `proofs_of` is the record whose items have proofs, by its type
    and slot; `made` proves that the record is there.
    """

    name: str
    tenant: Tenant
    resource_type: str
    slot: int
    fulfilment: Fulfilment
    proofs_of: tuple[str, int]
    made: Proof


def payment_reasons(state: State, payable: Payable, code: str | None = None) -> Iterator[Reason]:
    """Why a team's record is not paid: its proofs, then its payment, then its money. `code` refused a payment."""
    kind, slot = payable.resource_type, payable.slot
    payment = payment_of(state, kind, slot)
    rows = state[PAYMENTS].rows_in("resource", f"{kind} {slot}")
    open_ = payment or next((row for row in reversed(rows) if row.status == PENDING), None)
    if open_ is not None:
        if open_.status != SETTLED:
            yield _undecided(payable, open_)
        return
    yield from proof_reasons(state, payable)
    if team_fulfilment.price_changed(state, payable.fulfilment):
        yield _outdated(payable)
        return
    if code is not None and code in _LIMITS:
        yield _limited(payable, code)
    failed = next((row for row in reversed(rows) if row.status == "failed"), None)
    yield _unpaid(state, payable, bill_of(state, kind, slot).total_cents, failed)


def proof_reasons(state: State, payable: Payable) -> Iterator[Reason]:
    """The items of an order, gift or campaign whose proofs are not signed (T-5.23)."""
    unsigned = [(item, proof) for item, proof in list_proofs(state, *payable.proofs_of) if proof.status != SIGNED]
    if not unsigned:
        name = unsigned_item(state, payable.tenant.owner, *payable.proofs_of, payable.fulfilment)
        if name is not None:
            yield _unsigned_product(payable, name)
        return
    item, proof = unsigned[0]
    others = len(unsigned) - 1
    more = f", nor are those of {others} other item{'s' if others > 1 else ''}" if others else ""
    acts = tuple(act for item, proof in unsigned for act in _signs(item, proof))
    ready = all(proof.status in (IN_REVIEW, READY_TO_SIGN) for _, proof in unsigned)
    yield Reason(
        kind="proof_unsigned",
        sentence=f"{payable.name} cannot be paid: the proof of its item {item.name} is not signed"
        f" ({proof.status}){more}",
        proofs=tuple(_of_proof(state, *each) for each in unsigned),
        acts=acts if ready else (),
        why_not=None if ready else f"the app has to add a version of its artwork first: addProofVersion of {item.id}",
        codes=_NOT_SIGNED,
    )


def _unsigned_product(payable: Payable, item: str) -> Reason:
    """A product with custom artwork, of which no proof was ever signed (G55)."""
    return Reason(
        kind="proof_unsigned",
        sentence=f"{payable.name} cannot be paid: its team has signed no proof of its item {item}",
        proofs=(payable.made,),
        why_not=f"a proof of {item} has to be signed in an order or a campaign first",
        codes=_NOT_SIGNED,
    )


def _outdated(payable: Payable) -> Reason:
    return Reason(
        kind="not_paid",
        sentence=f"{payable.name} is not paid: prices have changed since it was priced, and the former price cannot"
        " be paid",
        proofs=(payable.made,),
        why_not="the app has to price it again, by requesting its approval or by reprice",
        codes=frozenset({"price_changed"}),
    )


def _limited(payable: Payable, code: str) -> Reason:
    words, acts = _LIMITS[code]
    return Reason(
        kind="not_paid",
        sentence=f"{payable.name} is not paid: a payment was refused with {code}, because {words}",
        proofs=(payable.made,),
        acts=acts,
        why_not=None if acts else "a key with other limits pays for it, or its reviewer does by approving",
        codes=frozenset({code}),
    )


def _signs(item: OrderItem, proof: Artwork) -> Iterator[Act]:
    if proof.status == IN_REVIEW:
        yield Act("proof", {"proof_id": item.id, "decision": "approve"})
    yield Act("proof", {"proof_id": item.id, "decision": "sign"})


def _of_proof(state: State, item: OrderItem, proof: Artwork) -> Proof:
    if state[PROOFS].find("item", item.n) is None:
        return Proof(ORDER_ITEMS.name, item.n, None, None, f"{item.name} was ordered, and has no version of its proof")
    return Proof(PROOFS.name, proof.n, "status", proof.status, f"the proof of {item.name} is {proof.status} since then")


def _undecided(payable: Payable, payment: Payment) -> Reason:
    id_, amount = payment.id, dollars(payment.amount_cents)
    return Reason(
        kind="not_paid",
        sentence=f"{payable.name} is not paid: payment {id_} of {amount} by {payment.method} is {payment.status}",
        proofs=(_became(payment),),
        acts=(Act("payment", {"payment_id": id_, "outcome": "settled"}),),
    )


def _unpaid(state: State, payable: Payable, cents: int, failed: Payment | None) -> Reason:
    tenant = payable.tenant
    balance_cents, terms = read_balance(state, tenant).available_cents, read_terms(state, tenant)
    is_short = cents > balance_cents and cents > terms.available_cents
    goes_on = team_fulfilment.has_started(
        payable.fulfilment
    )  # no approval pays it any more, so the balance does not help
    words = "nobody has paid, and the money of its team is enough"
    if failed is not None:
        words = f"payment {failed.id} by {failed.method} {_ended(state, failed)}, and nobody has paid again"
    if is_short and not goes_on:
        words = (
            f"the balance of its team has {dollars(balance_cents)}, and its terms ({terms.status}) leave"
            f" {dollars(terms.available_cents)}"
        )
    body = {"team_id": state[TEAMS].get(tenant.team).id, "add_cents": cents - balance_cents}
    acts = (Act("team", body),) if is_short and tenant.livemode and not goes_on else ()
    more = (_balance(state, tenant),) if acts else ()
    return Reason(
        kind="not_paid",
        sentence=f"{payable.name} is not paid: it costs {dollars(cents)}; {words}",
        proofs=(payable.made, *more, *(() if failed is None else (_became(failed),))),
        acts=acts,
        why_not=None if acts else "a key of the team has to fund it again" if goes_on else _who_pays(state, tenant),
        codes=_TEAM_CODES if is_short else frozenset(),
    )


def _ended(state: State, payment: Payment) -> str:
    return "was taken back by its bank" if has_returned(state, payment.receipt) else "failed"


def _balance(state: State, tenant: Tenant) -> Proof:
    account = balance_account(state, tenant.team)
    words = f"the balance has {dollars(account.cash_cents)}"
    return Proof(ACCOUNTS.name, account.n, "cash_cents", account.cash_cents, words)


def _became(payment: Payment) -> Proof:
    return Proof(PAYMENTS.name, payment.n, "status", payment.status, f"payment {payment.id} is {payment.status}")


def _who_pays(state: State, tenant: Tenant) -> str:
    if not tenant.livemode:
        return "nobody pays in a sandbox"
    if pays_on_approval(state, tenant):
        return "a key of the team has to pay for it"
    return "a key of the team has to pay for it: approving does not, as approvals.pay_on_approve is false"
