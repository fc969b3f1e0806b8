"""The section `billing:` of a fixture: wallets and cost centers, by the labels of its teams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from giftsim.domain.problem import InvalidFixture, in_fixture
from giftsim.domain.team.billing.cost_center import create_cost_center
from giftsim.domain.team.billing.wallet import change_balance, change_terms, create_wallet
from giftsim.domain.team.team import TEAMS, Team
from giftsim.domain.team.tenant import live_tenant
from giftsim.kernel.state import State

Cents = Annotated[int, msgspec.Meta(ge=0)]


class CreditEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Credit terms."""

    credit_limit_cents: Cents
    net_days: Annotated[int, msgspec.Meta(ge=0, le=365)] = 30
    status: Literal["active", "suspended"] = "active"


class WalletEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a team begins with; `cost_centers` maps codes to names."""

    balance_cents: Cents = 0
    credit: CreditEntry | None = None
    cost_centers: dict[str, str] = {}


def seed_billing(state: State, data: Mapping[str, Any]) -> None:
    """Create the wallet of every team in a fresh state. InvalidFixture says where the section is wrong."""
    with in_fixture("billing"):
        entries = msgspec.convert(data.get("billing", {}), dict[str, WalletEntry])
    with in_fixture("billing"), state.transaction():
        for team in state[TEAMS]:
            _seed_team(state, team, entries.get(team.label, WalletEntry()))
    for label in entries:
        if state[TEAMS].find("label", label) is None:
            raise InvalidFixture(f"the fixture's billing: there is no team {label}")


def _seed_team(state: State, team: Team, entry: WalletEntry) -> None:
    create_wallet(state, team.n, team.label)
    change_balance(state, team.n, entry.balance_cents)
    if entry.credit is not None:
        change_terms(state, team.n, msgspec.structs.asdict(entry.credit))
    for code, name in entry.cost_centers.items():
        create_cost_center(state, live_tenant(team.n), code, name)
