"""Who has events and endpoints: accounts of partners, and teams with the sandboxes of their keys (D18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.simulated_service import Facts, Owner
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import Attempt
from giftsim.engine.webhooks.endpoint import Endpoint
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.fan_out import ping_endpoint
from giftsim.services.gifting.domain.money.account import ACCOUNTS, owning_account
from giftsim.services.gifting.domain.team.tenant import tenant_of_owner
from giftsim.services.gifting.domain.team.webhook_subscription import TEST_TYPE, subscription_of_endpoint
from giftsim.services.gifting.interfaces.partner import event_data as partner
from giftsim.services.gifting.interfaces.partner.partner_settings import PING_DATA
from giftsim.services.gifting.interfaces.team import event_data as team
from giftsim.services.gifting.records.gifting_kinds import team_id


def _account_data(state: State, _kind: str, subject: int, facts: Facts, now_ms: int) -> bytes:
    return partner.describe(state, subject, facts, now_ms)


def _account_ids(state: State, owner: str) -> dict[str, Any]:
    return {"account_id": state[ACCOUNTS].get(owning_account(owner) or 0).id, "team_id": None}


def _test_account(state: State, endpoint: Endpoint, kind: str | None, data: Facts | None) -> Attempt:
    own: Facts | None = None if state.setting(PING_DATA) == "endpoint" else {}
    return ping_endpoint(state, endpoint, kind=kind or "ping", data=own if data is None else data)


def _team_data(state: State, kind: str, subject: int, facts: Facts, _now_ms: int) -> bytes:
    return team.describe(state, kind, subject, facts)


def _team_table(event: Event) -> str:
    return team.SUBJECTS[team.subject_type(event.kind, dict(event.facts))]


def _team_ids(state: State, owner: str) -> dict[str, Any]:
    return {"account_id": None, "team_id": team_id(state, owner)}


def _test_team(state: State, endpoint: Endpoint, kind: str | None, data: Facts | None) -> Attempt:
    tenant = tenant_of_owner(state, endpoint.owner)
    if data is None:
        data = {"webhook_id": subscription_of_endpoint(state, endpoint.n).id}
    return ping_endpoint(state, endpoint, kind=kind or state.setting(TEST_TYPE), livemode=tenant.livemode, data=data)


ACCOUNT: Final = Owner(
    interface="partner",
    data=_account_data,
    table=lambda _event: partner.SUBJECT,
    tables=(partner.SUBJECT,),
    ids=_account_ids,
    test=_test_account,
    shows_key=True,
)
TEAM: Final = Owner(
    interface="team",
    data=_team_data,
    table=_team_table,
    tables=tuple(team.SUBJECTS.values()),
    ids=_team_ids,
    test=_test_team,
    at_once=True,
)
# By the first word of an owner, such as `account 3`, `team 3`, `test 12` or `test of team 3`.
OWNERS: Final[Mapping[str, Owner]] = {"account": ACCOUNT, "team": TEAM, "test": TEAM}
