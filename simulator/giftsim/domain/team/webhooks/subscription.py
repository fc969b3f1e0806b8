"""Subscriptions: a webhook endpoint as a team or a test key holds it, perhaps with a balance to watch (T-6.1, A6.5)."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.domain.team.problem import NotFound
from giftsim.domain.team.tenant import Tenant, TenantRecord, find_record, public_id, tenant_table
from giftsim.kernel.setting import number
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec
from giftsim.problem import Problem

FIRST_ID = 40_001
MAX_SUBSCRIPTIONS = number(
    "webhooks.most_per_team", 100, "webhook subscriptions of a team or of a test key (A6.5)", least=1
)


class Subscription(TenantRecord, frozen=True, gc=False):
    """`endpoint` is a slot; `threshold_cents` is what `balance.low` watches, None without it."""

    endpoint: int
    threshold_cents: int | None = None


class TooManyWebhooks(Problem):
    """The team, or the test key, has all the subscriptions that it may have."""

    status = 409
    code = "too_many_webhooks"


SUBSCRIPTIONS: TableSpec[Subscription] = tenant_table(
    "team.subscription", Subscription, unique={"endpoint": lambda row: row.endpoint}
)


def check_subscription_limit(state: State, tenant: Tenant) -> None:
    """TooManyWebhooks unless one more may be made."""
    most = state.setting(MAX_SUBSCRIPTIONS)
    if len(state[SUBSCRIPTIONS].slots_in("owner", tenant.owner)) >= most:
        raise TooManyWebhooks(f"there are {most} webhook subscriptions already; end one first")


def subscribe(state: State, tenant: Tenant, endpoint: int, threshold_cents: int | None) -> Subscription:
    """The subscription of a new endpoint (a slot)."""
    table = state[SUBSCRIPTIONS]
    n = table.next_n
    made = Subscription(
        n, tenant.owner, public_id(state, tenant, "subscription", n, FIRST_ID), state.now_ms, endpoint, threshold_cents
    )
    return table.add(made)


def find_subscription(state: State, tenant: Tenant, raw: object) -> Subscription:
    """The subscription of a public id; NotFound otherwise, also once it has ended."""
    return find_record(state, SUBSCRIPTIONS, tenant, raw)


def end_subscription(state: State, subscription: Subscription) -> None:
    """The subscription is gone; its endpoint is the webhooks room's to disable."""
    state[SUBSCRIPTIONS].drop(subscription.n)


def subscription_of_endpoint(state: State, endpoint: int) -> Subscription:
    """The subscription that stands before an endpoint (a slot)."""
    found = state[SUBSCRIPTIONS].find("endpoint", endpoint)
    if found is None:
        raise NotFound("the subscription has ended")
    return found


def balance_thresholds(state: State, owner: str) -> Iterator[tuple[int, int]]:
    """The endpoints (slots) of an owner that watch the balance, with their cents (handles BALANCE_THRESHOLDS; A6.6)."""
    for subscription in state[SUBSCRIPTIONS].rows_in("owner", owner):
        if subscription.threshold_cents is not None:
            yield subscription.endpoint, subscription.threshold_cents
