"""Subscriptions: the webhook endpoints of a team or a test key, with an optional balance threshold (T-6.1, A6.5)."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.engine.kernel.setting import choice, number
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.team.team_errors import NotFound
from giftsim.services.gifting.domain.team.tenant import Tenant, TenantRecord, find_record, public_id, tenant_table

FIRST_ID = 40_001
MAX_SUBSCRIPTIONS = number(
    "webhooks.most_per_team", 100, "webhook subscriptions of a team or of a test key (A6.5)", least=1
)


TEST_TYPE = choice("webhooks.test_type", ("webhook.test", "ping"), "the type of a team's test delivery (A6.7)")


class Subscription(TenantRecord, frozen=True, gc=False):
    """A subscription; `endpoint` is a slot, `threshold_cents` is for the event `balance.low`, None without it."""

    endpoint: int
    threshold_cents: int | None = None


class TooManyWebhooks(Problem, status=409, code="too_many_webhooks"):
    """The team or test key has reached its number of subscriptions."""


SUBSCRIPTIONS: TableSpec[Subscription] = tenant_table(
    "team.subscription", Subscription, unique={"endpoint": "endpoint"}
)


def check_subscription_limit(state: State, tenant: Tenant) -> None:
    """TooManyWebhooks if the tenant already has the maximum number of subscriptions."""
    most = state.setting(MAX_SUBSCRIPTIONS)
    if len(state[SUBSCRIPTIONS].slots_in("owner", tenant.owner)) >= most:
        raise TooManyWebhooks(f"there are {most} webhook subscriptions already; delete one first")


def subscribe(state: State, tenant: Tenant, endpoint: int, threshold_cents: int | None) -> Subscription:
    """Create the subscription of a new endpoint (a slot)."""
    table = state[SUBSCRIPTIONS]
    n = table.next_n
    subscription = Subscription(
        n, tenant.owner, public_id(state, tenant, "subscription", n, FIRST_ID), state.now_ms, endpoint, threshold_cents
    )
    return table.add(subscription)


def find_subscription(state: State, tenant: Tenant, raw: object) -> Subscription:
    """The subscription with a public id. NotFound if there is none, or it has ended."""
    return find_record(state, SUBSCRIPTIONS, tenant, raw)


def end_subscription(state: State, subscription: Subscription) -> None:
    """Delete a subscription; the caller disables its endpoint."""
    state[SUBSCRIPTIONS].drop(subscription.n)


def subscription_of_endpoint(state: State, endpoint: int) -> Subscription:
    """The subscription of an endpoint (a slot). NotFound if it has ended."""
    subscription = state[SUBSCRIPTIONS].find("endpoint", endpoint)
    if subscription is None:
        raise NotFound("the subscription has ended")
    return subscription


def balance_thresholds(state: State, owner: str) -> Iterator[tuple[int, int]]:
    """The endpoints (slots) of an owner with a threshold, and its cents (handles BALANCE_THRESHOLDS; A6.6)."""
    for subscription in state[SUBSCRIPTIONS].rows_in("owner", owner):
        if subscription.threshold_cents is not None:
            yield subscription.endpoint, subscription.threshold_cents
