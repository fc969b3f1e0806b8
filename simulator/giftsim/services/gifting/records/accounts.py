"""Accounts of partners as JSON: money, card and limits. Also the limits of keys and of teams' credit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from giftsim.engine.control.pagination import respond_with_page, rows_of_table
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import end_of_local_date, format_instant
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import API_KEYS, ApiKey
from giftsim.services.gifting.domain.money.account import ACCOUNTS, NET_TERMS, Account, change_account
from giftsim.services.gifting.domain.money.charge import SPEND_ZONE, spent_today
from giftsim.services.gifting.domain.team.billing.billing_profile import month_bounds, month_of
from giftsim.services.gifting.domain.team.billing.spending_limits import spent_cents
from giftsim.services.gifting.domain.team.billing.wallet import Terms
from giftsim.services.gifting.records.key_credentials import credential_name
from giftsim.services.gifting.records.named import named_account


def key_limits_view(state: State, key: ApiKey) -> list[dict[str, Any]]:
    """The limits of a key: per day for a partner's key, per request and per month for a team's."""
    return [*_daily(state, key), *_ceilings(state, key)]


def account_limits_view(account: Account) -> list[dict[str, Any]]:
    """The credit line of an account on net terms. What is held for open charges is used, too."""
    if account.billing_mode != NET_TERMS:
        return []
    used_cents = max(0, account.held_cents - account.cash_cents)
    return [_limit("credit", account.credit_limit_cents, used_cents)]


def terms_limits_view(terms: Terms) -> list[dict[str, Any]]:
    """The credit line of a team. What is reserved is used, too; without active terms nothing is left."""
    if terms.status == "none":
        return []
    used_cents = (
        terms.credit_limit_cents - terms.available_cents if terms.status == "active" else terms.outstanding_cents
    )
    return [{**_limit("credit", terms.credit_limit_cents, used_cents), "left_cents": terms.available_cents}]


def _daily(state: State, key: ApiKey) -> Iterator[dict[str, Any]]:
    daily_cents = None if key.account is None else state[ACCOUNTS].get(key.account).daily_limit_cents
    if daily_cents is not None:
        yield _limit("daily", daily_cents, spent_today(state, key), end_of_local_date(state.now_ms, SPEND_ZONE))


def _ceilings(state: State, key: ApiKey) -> Iterator[dict[str, Any]]:
    if key.per_request_cents is not None:
        yield _limit("per_request", key.per_request_cents, 0)
    if key.monthly_cents is not None:
        month = month_of(state.now_ms)
        yield _limit("monthly", key.monthly_cents, spent_cents(state, key.n, month), month_bounds(month)[1])


def _limit(name: str, limit_cents: int, used_cents: int, ends_ms: int | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "limit_cents": limit_cents,
        "used_cents": used_cents,
        "left_cents": max(0, limit_cents - used_cents),
        "turns_over_at": None if ends_ms is None else format_instant(ends_ms),
    }


def account_view(state: State, account: Account) -> dict[str, Any]:
    """An account: money, card, limits, its keys, and what each key has spent today."""
    keys = [key for key in state[API_KEYS].rows_in("account", account.n) if not key.revoked]
    return {
        "account_id": account.id,
        "label": account.label,
        "billing_mode": account.billing_mode,
        "wallet_cents": account.cash_cents,
        "held_cents": account.held_cents,
        "owed_cents": account.owed_cents,
        "card": account.card,
        "card_fallback": account.card_fallback,
        "credit_limit_cents": account.credit_limit_cents,
        "daily_limit_cents": account.daily_limit_cents,
        "limits": account_limits_view(account),
        "keys": [credential_name(key) for key in keys],
        "spent_today_cents": {credential_name(key): spent_today(state, key) for key in keys},
    }


def list_accounts(call: Call) -> Response:
    """List the accounts of partners. The money of teams is listed with the teams."""
    with current_state(call.world) as state:
        accounts = rows_of_table(state[ACCOUNTS])
        partners = ((n, row) for n, row in accounts.rows_of_page(call) if row.team is None)
        return respond_with_page(call, "accounts", partners, partial(account_view, state))


def simulate_account(call: Call) -> Response:
    """Change money, card and limits of an account."""
    with change_state(call) as state:
        account = named_account(state, call.world.id, call.body)
        return Response(200, account_view(state, change_account(state, account, call.body)))
