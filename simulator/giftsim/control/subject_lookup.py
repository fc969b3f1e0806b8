"""Whom a verb is about: an account, a team or a charge, as a body names it (G41)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.control.credentials import named_key
from giftsim.control.order_lookup import partner_order
from giftsim.control.problem import Ambiguous
from giftsim.domain.access.api_key import API_KEYS
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.payment import has_unknown_charge
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.money.account import ACCOUNTS, Account, AccountNotFound, find_account
from giftsim.domain.money.charge import CHARGES, Charge
from giftsim.domain.money.credit_settlement import unknown_settlement
from giftsim.domain.team.team import TEAMS, Team, find_team
from giftsim.gateway.idempotency_key import IDEMPOTENCY_RECORDS
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


def account_of(state: State, world_id: str, body: Mapping[str, Any], default: str | None = None) -> Account:
    """The account of `key` or `account_id`, or of the key `default`; AccountNotFound for a key bound to none."""
    if "key" in body and "account_id" in body:
        raise Ambiguous("name the account by key or by account_id, not by both")
    if "account_id" in body:
        return find_account(state, body["account_id"])
    name = body.get("key", default)
    if name is None:
        raise Ambiguous("name the account by key or account_id")
    key = named_key(state, world_id, name)
    if key.account is None:
        raise AccountNotFound(f"the key {name} is bound to no account")
    return state[ACCOUNTS].get(key.account)


def team_of(state: State, named: int | str | None) -> Team:
    """The team of an id or a label, or the first there is, whose the named credentials are; TeamNotFound."""
    first = next(iter(state[TEAMS]), None)
    if named is None and first is not None:
        return first
    return find_team(state, named or "")


def accounts_of(state: State, world_id: str, body: Mapping[str, Any]) -> Sequence[Account]:
    """The one account that is named, or all that there are."""
    if "key" in body or "account_id" in body:
        return (account_of(state, world_id, body),)
    return [account for account in state[ACCOUNTS] if account.team is None]


def charge_of(state: State, world_id: str, body: Mapping[str, Any]) -> Charge:
    """The unknown charge of an order, by its id or the idempotency key it was made with; else an account's settlement.

    InvalidState where nothing is unknown (G28).
    """
    if "idempotency_key" in body and "team_order_id" in body:
        raise Ambiguous("name the charge by idempotency_key or by team_order_id, not by both")
    if "team_order_id" in body:
        return _unknown_charge(state, partner_order(state, body["team_order_id"]))
    if "idempotency_key" in body:
        return _unknown_charge(state, _made_with(state, world_id, body["idempotency_key"], body.get("key")))
    account = account_of(state, world_id, body)
    charge = unknown_settlement(state, account)
    if charge is None:
        raise InvalidState(f"no settlement of account {account.id} is unknown")
    return charge


def link_token(text: str) -> str:
    """The token of a claim link, from itself or from the whole link."""
    return text.rstrip("/").rpartition("/")[2]


def _unknown_charge(state: State, order: Fulfilment) -> Charge:
    if order.charge is None or not has_unknown_charge(state, order):
        raise InvalidState(f"no charge of team order {order.id} is unknown: it is {order.status}")
    return state[CHARGES].get(order.charge)


def _made_with(state: State, world_id: str, idempotency_key: str, name: str | None) -> Fulfilment:
    """The order that an idempotency key is bound to; Ambiguous where several keys used the same one."""
    keys = list(state[API_KEYS]) if name is None else [named_key(state, world_id, name)]
    rows = [state[IDEMPOTENCY_RECORDS].find("name", f"partner {key.n} {idempotency_key}") for key in keys]
    found = [row.subject for row in rows if row is not None and row.subject is not None]
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} keys used the idempotency key {idempotency_key[:60]!r}; name one by key")
    if not found:
        raise TeamOrderNotFound(f"no order was made with the idempotency key {idempotency_key[:60]!r}")
    return state[FULFILMENTS].get(found[0])
