"""The records that a call names: by a public id, in the records of all teams and sandboxes, or in a body (G41)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.gateway.idempotency_record import IDEMPOTENCY_RECORDS
from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.fulfilment.fulfilment import FIRST_ID as FIRST_ORDER
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    PartnerOrder,
    TeamFulfilment,
    find_recipient_row,
    recipient_row_at,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.order_charge import has_unknown_charge
from giftsim.services.gifting.domain.fulfilment.order_errors import RecipientNotFound, TeamOrderNotFound
from giftsim.services.gifting.domain.fulfilment.products import MAX_DIGITS
from giftsim.services.gifting.domain.fulfilment.recipient import FIRST_ID as FIRST_RECIPIENT
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import CANCELED, SHIPMENTS, Shipment
from giftsim.services.gifting.domain.fulfilment.shipment import FIRST_ID as FIRST_SHIPMENT
from giftsim.services.gifting.domain.money.account import ACCOUNTS, Account, AccountNotFound, find_account
from giftsim.services.gifting.domain.money.charge import CHARGES, SENT, Charge
from giftsim.services.gifting.domain.money.net_terms_settlement import unknown_settlement
from giftsim.services.gifting.domain.money.refund import Refund, refunds_of
from giftsim.services.gifting.domain.team.billing.payment import PAYMENTS, PENDING, RESERVED, UNCERTAIN, Payment
from giftsim.services.gifting.domain.team.campaigns.campaign_control import campaign_fulfilments
from giftsim.services.gifting.domain.team.member import Member, find_member
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.team_order import FIRST_ID as FIRST_TEAM_ORDER
from giftsim.services.gifting.domain.team.orders.team_order import TeamOrder
from giftsim.services.gifting.domain.team.team import TEAMS, Team, find_team
from giftsim.services.gifting.domain.team.tenant import Id, TenantRecord, all_owners, tenant_of_owner
from giftsim.services.gifting.records.gifting_kinds import CAMPAIGN, GIFT, PAYMENT, TEAM_ORDER
from giftsim.services.gifting.records.key_credentials import named_key
from giftsim.services.gifting.records.record_errors import PaymentNotFound, ShipmentNotFound

R = TypeVar("R", bound=TenantRecord)
RecipientRow = tuple[Fulfilment, Recipient, Shipment]

# Orders, gifts and campaigns, by the members of a body that name them.
PLACED: Final[Mapping[str, Kind[Any]]] = {"team_order_id": TEAM_ORDER, "gift_id": GIFT, "campaign_id": CAMPAIGN}
PAID = ("team_order_id", "gift_id")
CHARGED = (FULFILMENTS.name, CHARGES.name)  # what the idempotency key of a call that charges is bound to
WITHOUT_OUTCOME = (PENDING, RESERVED, UNCERTAIN)


def read_id(text: str) -> Id:
    """A public id in a path or a query: a number, or a UUID in a sandbox."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else text


def find_any_record(state: State, kind: Kind[R], public_id: Id) -> R | None:
    """The record with a public id in any team or sandbox, or None. Live ids are integers, sandbox ids are UUIDs."""
    table = state[kind.table]
    records = (table.find("id", f"{owner} {str(public_id).lower()}") for owner in all_owners(state))
    return next((record for record in records if record is not None), None)


def require_record(state: State, kind: Kind[R], public_id: Id) -> R:
    """The record with a public id in any team or sandbox. Raises the problem of its kind."""
    record = find_any_record(state, kind, public_id)
    if record is None:
        hint = "; ids of live records are numbers, not text" if _is_number_as_text(public_id) else ""
        raise kind.missing(f"no team has {kind.noun} with the id {str(public_id)[:60]}{hint}")
    return record


def _is_number_as_text(public_id: Id) -> bool:
    return isinstance(public_id, str) and isinstance(read_id(public_id), int)


def find_order(state: State, order_id: Id) -> PartnerOrder | TeamOrder:
    """The partner's or team's order with a public id, of any account or team. Raises TeamOrderNotFound."""
    if isinstance(order_id, int) and order_id < FIRST_TEAM_ORDER:
        return find_partner_order(state, order_id)
    if _is_number_as_text(order_id):
        raise TeamOrderNotFound(
            f"there is no team order {str(order_id)[:60]!r}: write its id as a number, without quotes"
        )
    return require_record(state, TEAM_ORDER, order_id)


def find_partner_order(state: State, order_id: Id) -> PartnerOrder:
    """The partner's order with a public id, of any account. Raises TeamOrderNotFound."""
    order = state[FULFILMENTS].at(order_id - FIRST_ORDER) if isinstance(order_id, int) else None
    if not isinstance(order, PartnerOrder):
        raise TeamOrderNotFound(f"there is no team order {str(order_id)[:60]}")
    return order


def named_account(state: State, world_id: str, body: Mapping[str, Any], default: str | None = None) -> Account:
    """The account of `key` or `account_id`, else of the key `default`. AccountNotFound if the key has no account."""
    if "key" in body and "account_id" in body:
        raise Ambiguous("name the account by key or by account_id, not by both")
    if "account_id" in body:
        return find_account(state, body["account_id"])
    name = body.get("key", default)
    if name is None:
        raise Ambiguous("name the account by key or by account_id")
    key = named_key(state, world_id, name)
    if key.account is None:
        raise AccountNotFound(f"the key {name} has no account")
    return state[ACCOUNTS].get(key.account)


def named_accounts(state: State, world_id: str, body: Mapping[str, Any]) -> Sequence[Account]:
    """The account that a body names, or all accounts of partners."""
    if "key" in body or "account_id" in body:
        return (named_account(state, world_id, body),)
    return [account for account in state[ACCOUNTS] if account.team is None]


def named_team(state: State, id_or_label: int | str | None) -> Team:
    """The team with an id or a label. None means the first team, to which the named credentials belong.

    Raises TeamNotFound.
    """
    first = next(iter(state[TEAMS]), None)
    if id_or_label is None and first is not None:
        return first
    return find_team(state, id_or_label or "")


def named_approver(state: State, record: TenantRecord, user: str) -> Member:
    """The member with this user name in a record's team. InvalidState for a member who may not approve."""
    member = find_member(state, state[TEAMS].get(tenant_of_owner(state, record.owner).team), user)
    if not member.may_approve:
        raise InvalidState(f"{user} has the role {member.role}: name an approver or an owner of the team")
    return member


def named_payment(state: State, body: Mapping[str, Any]) -> Payment:
    """The payment of `payment_id`, or the latest one without an outcome of an order or gift. Raises PaymentNotFound."""
    named = [member for member in ("payment_id", *PAID) if member in body]
    if len(named) != 1:
        raise Ambiguous(f"name the payment by one of payment_id, {', '.join(PAID)}")
    [member] = named
    if member == "payment_id":
        payment = find_any_record(state, PAYMENT, body[member])
    else:
        kind = PLACED[member]
        record = find_any_record(state, kind, body[member])
        payments = state[PAYMENTS].rows_in("resource", f"{kind.name} {record.n}") if record else []
        payment = next((payment for payment in reversed(payments) if payment.status in WITHOUT_OUTCOME), None)
    if payment is None:
        raise PaymentNotFound(f"there is no payment without an outcome for {member} {str(body[member])[:60]}")
    return payment


def named_charge(state: State, world_id: str, body: Mapping[str, Any]) -> Charge:
    """The charge with an unknown outcome: by order, by the idempotency key of its call, else an account's settlement.

    InvalidState if no outcome is unknown (G28).
    """
    if "idempotency_key" in body and "team_order_id" in body:
        raise Ambiguous("name the charge by idempotency_key or by team_order_id, not by both")
    if "team_order_id" in body:
        return _unknown_charge(state, find_partner_order(state, body["team_order_id"]))
    if "idempotency_key" in body:
        return _charge_by_idempotency_key(state, world_id, body["idempotency_key"], body.get("key"))
    account = named_account(state, world_id, body)
    charge = unknown_settlement(state, account)
    if charge is None:
        raise InvalidState(f"account {account.id} has no settlement with an unknown outcome")
    return charge


def named_orders(state: State, body: Mapping[str, Any]) -> Sequence[Fulfilment]:
    """The fulfilment of the order or gift that a body names, or those of a campaign's prepared batches."""
    if sum(member in body for member in PLACED) != 1:
        raise Ambiguous("name one order, gift or campaign: by team_order_id, gift_id or campaign_id")
    if "campaign_id" in body:
        return campaign_fulfilments(state, require_record(state, CAMPAIGN, body["campaign_id"]))
    if "gift_id" in body:
        return (state[FULFILMENTS].get(require_record(state, GIFT, body["gift_id"]).fulfilment),)
    order = find_order(state, body["team_order_id"])
    return (order if isinstance(order, PartnerOrder) else state[FULFILMENTS].get(order.fulfilment),)


def named_recipient(state: State, body: Mapping[str, Any]) -> RecipientRow:
    """The recipient that a body names by order, gift or campaign, and `recipient_id` or `recipient` (from 0).

    A gift for one recipient needs neither.
    """
    orders = named_orders(state, body)
    is_single = "gift_id" in body and orders[0].recipient_count == 1
    names = ("recipient_id" in body) + ("recipient" in body)
    if names > 1 or (names == 0 and not is_single):
        raise Ambiguous("name one recipient: by recipient_id, or by recipient, its index from 0")
    if "recipient_id" not in body:
        return _recipient_at(state, orders, body.get("recipient", 0))
    if not isinstance(body["recipient_id"], int):
        return _find_sandbox_recipient(state, orders, body["recipient_id"])
    n = body["recipient_id"] - FIRST_RECIPIENT
    order = next((each for each in orders if 0 <= n - each.first_recipient < each.recipient_count), None)
    if order is None:
        raise RecipientNotFound(f"the order, gift or campaign has no recipient {body['recipient_id']}")
    return order, *find_recipient_row(state, order, body["recipient_id"])


def named_parcels(state: State, body: Mapping[str, Any]) -> Sequence[Shipment]:
    """The parcel of `order_id` or of one recipient, or all that are not canceled of an order, gift or campaign."""
    if ("order_id" in body) == any(member in body for member in PLACED):
        raise Ambiguous(
            "name parcels by order_id, or by team_order_id, gift_id or campaign_id, with or without a recipient"
        )
    if "order_id" in body:
        shipment = state[SHIPMENTS].at(body["order_id"] - FIRST_SHIPMENT)
        if shipment is None:
            raise ShipmentNotFound(f"there is no parcel with the order id {body['order_id']}")
        return (shipment,)
    if "recipient_id" in body or "recipient" in body:
        return (named_recipient(state, body)[2],)
    rows = [row for order in named_orders(state, body) for row in recipient_rows(state, order)]
    return [shipment for _, shipment in rows if shipment.status != CANCELED]


def refunds_of_orders(state: State, orders: Sequence[Fulfilment]) -> list[Refund]:
    """The refunds of fulfilments that have a record, oldest first for each."""
    return [refund for order in orders for ref in _paid_refs(state, order) for refund in refunds_of(state, ref)]


def _paid_refs(state: State, order: Fulfilment) -> Iterator[str]:
    """How the ledger names what was paid: a partner's order, or the payments of a team."""
    if isinstance(order, TeamFulfilment):
        for payment in state[PAYMENTS].rows_in("resource", f"{order.resource} {order.subject}"):
            yield f"payment {payment.n}"
    else:
        yield order.ref


def _unknown_charge(state: State, order: Fulfilment) -> Charge:
    if order.charge is None or not has_unknown_charge(state, order):
        raise InvalidState(f"team order {order.id} has no charge with an unknown outcome; it is {order.status}")
    return state[CHARGES].get(order.charge)


def _charge_by_idempotency_key(state: State, world_id: str, idempotency_key: str, name: str | None) -> Charge:
    """The charge of the order or settlement made with an idempotency key. Ambiguous if several accounts used it."""
    keys = list(state[API_KEYS]) if name is None else [named_key(state, world_id, name)]
    scopes = dict.fromkeys(scope for key in keys for scope in (f"account {key.account}", f"partner {key.n}"))
    rows = [state[IDEMPOTENCY_RECORDS].find("name", f"{scope} {idempotency_key}") for scope in scopes]
    charged = [(row.kind, row.subject) for row in rows if row and row.subject is not None and row.kind in CHARGED]
    if len(charged) > 1:
        raise Ambiguous(f"{len(charged)} accounts used the idempotency key {idempotency_key[:60]!r}; name one by key")
    if not charged:
        raise TeamOrderNotFound(f"no order or settlement was made with the idempotency key {idempotency_key[:60]!r}")
    [(kind, slot)] = charged
    if kind == FULFILMENTS.name:
        return _unknown_charge(state, state[FULFILMENTS].get(slot))
    charge = state[CHARGES].get(slot)
    if charge.status != SENT:
        raise InvalidState(f"settlement {charge.transaction_id} is {charge.status}: its outcome is known")
    return charge


def _recipient_at(state: State, orders: Sequence[Fulfilment], index: int) -> RecipientRow:
    """The recipient with an index, counted through all fulfilments."""
    place = index
    for order in orders:
        if place < order.recipient_count:
            return order, *recipient_row_at(state, order, place)
        place -= order.recipient_count
    raise RecipientNotFound(f"the order, gift or campaign has no recipient at place {index}, or it is not prepared yet")


def _find_sandbox_recipient(state: State, orders: Sequence[Fulfilment], recipient_id: str) -> RecipientRow:
    """The recipient with a UUID in a sandbox order, gift or campaign."""
    for order in orders:
        for recipient, shipment in recipient_rows(state, order):
            if team_fulfilment.recipient_id(state, order, recipient.n) == recipient_id.lower():
                return order, recipient, shipment
    raise RecipientNotFound(f"the order, gift or campaign has no recipient {recipient_id[:60]}")
