"""The account, team or charge that a body names (G41)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.control.credentials import named_key
from giftsim.control.order_lookup import find_partner_order
from giftsim.control.problem import Ambiguous
from giftsim.domain.api_key import API_KEYS
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.order_charge import has_unknown_charge
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.money.account import ACCOUNTS, Account, AccountNotFound, find_account
from giftsim.domain.money.charge import CHARGES, Charge
from giftsim.domain.money.credit_settlement import unknown_settlement
from giftsim.domain.team.team import TEAMS, Team, find_team
from giftsim.gateway.idempotency_key import IDEMPOTENCY_RECORDS
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


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


def named_team(state: State, id_or_label: int | str | None) -> Team:
    """The team with an id or a label. None means the first team, to which the named credentials belong.

    Raises TeamNotFound.
    """
    first = next(iter(state[TEAMS]), None)
    if id_or_label is None and first is not None:
        return first
    return find_team(state, id_or_label or "")


def named_accounts(state: State, world_id: str, body: Mapping[str, Any]) -> Sequence[Account]:
    """The account that a body names, or all accounts of partners."""
    if "key" in body or "account_id" in body:
        return (named_account(state, world_id, body),)
    return [account for account in state[ACCOUNTS] if account.team is None]


def named_charge(state: State, world_id: str, body: Mapping[str, Any]) -> Charge:
    """The charge with an unknown outcome, of an order by its id or idempotency key, else of an account's settlement.

    InvalidState if no outcome is unknown (G28).
    """
    if "idempotency_key" in body and "team_order_id" in body:
        raise Ambiguous("name the charge by idempotency_key or by team_order_id, not by both")
    if "team_order_id" in body:
        return _unknown_charge(state, find_partner_order(state, body["team_order_id"]))
    if "idempotency_key" in body:
        return _unknown_charge(
            state, _order_by_idempotency_key(state, world_id, body["idempotency_key"], body.get("key"))
        )
    account = named_account(state, world_id, body)
    charge = unknown_settlement(state, account)
    if charge is None:
        raise InvalidState(f"account {account.id} has no settlement with an unknown outcome")
    return charge


def claim_token(link_or_token: str) -> str:
    """The token of a claim, from a whole claim link or from the token alone."""
    return link_or_token.rstrip("/").rpartition("/")[2]


def _unknown_charge(state: State, order: Fulfilment) -> Charge:
    if order.charge is None or not has_unknown_charge(state, order):
        raise InvalidState(f"team order {order.id} has no charge with an unknown outcome; it is {order.status}")
    return state[CHARGES].get(order.charge)


def _order_by_idempotency_key(state: State, world_id: str, idempotency_key: str, name: str | None) -> Fulfilment:
    """The order created with an idempotency key. Ambiguous if several keys used the same idempotency key."""
    keys = list(state[API_KEYS]) if name is None else [named_key(state, world_id, name)]
    rows = [state[IDEMPOTENCY_RECORDS].find("name", f"partner {key.n} {idempotency_key}") for key in keys]
    orders = [row.subject for row in rows if row and row.subject is not None and row.kind == FULFILMENTS.name]
    if len(orders) > 1:
        raise Ambiguous(f"{len(orders)} keys used the idempotency key {idempotency_key[:60]!r}; name one by key")
    if not orders:
        raise TeamOrderNotFound(f"no order was created with the idempotency key {idempotency_key[:60]!r}")
    return state[FULFILMENTS].get(orders[0])
