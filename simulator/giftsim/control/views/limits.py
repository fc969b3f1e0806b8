"""Limits of money as JSON: what of a key's caps and of a credit line is used, and when they begin anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from giftsim.domain.access.api_key import ApiKey
from giftsim.domain.money.account import ACCOUNTS, NET_TERMS, Account
from giftsim.domain.money.charge import SPEND_ZONE, spent_today
from giftsim.domain.team.billing.billing_month import month_bounds, month_of
from giftsim.domain.team.billing.spending_limits import spent_cents
from giftsim.domain.team.billing.wallet import Terms
from giftsim.kernel.instants import end_of_local_date, format_instant
from giftsim.kernel.state import State


def of_key(state: State, key: ApiKey) -> list[dict[str, Any]]:
    """The limits of a key: per day for a partner's key, per request and per month for a team's."""
    return [*_daily(state, key), *_ceilings(state, key)]


def of_account(account: Account) -> list[dict[str, Any]]:
    """The credit line of an account on net terms. What is held for open charges is used, too."""
    if account.billing_mode != NET_TERMS:
        return []
    used_cents = max(0, account.held_cents - account.cash_cents)
    return [_limit("credit", account.credit_limit_cents, used_cents)]


def of_terms(terms: Terms) -> list[dict[str, Any]]:
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
