"""The definitions of all packages of teams, and the seeding of their sections of a fixture.

The tables of teams, members and sessions are in the domain's definitions, since keys are bound to them. Add a new
package to DEFINITIONS, and to SEEDS if it reads a section of the fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from giftsim.domain.team import settings
from giftsim.domain.team.billing import seed as billing_seed
from giftsim.domain.team.billing.definitions import DEFINITIONS as BILLING
from giftsim.domain.team.campaigns.definitions import DEFINITIONS as CAMPAIGNS
from giftsim.domain.team.catalogue import seed as catalogue_seed
from giftsim.domain.team.catalogue.definitions import DEFINITIONS as CATALOGUE
from giftsim.domain.team.design.definitions import DEFINITIONS as DESIGN
from giftsim.domain.team.orders import seed as orders_seed
from giftsim.domain.team.orders.definitions import DEFINITIONS as ORDERS
from giftsim.domain.team.people import seed as people_seed
from giftsim.domain.team.people.definitions import DEFINITIONS as PEOPLE
from giftsim.domain.team.rules import seed as rules_seed
from giftsim.domain.team.rules.definitions import DEFINITIONS as RULES
from giftsim.domain.team.webhooks.definitions import DEFINITIONS as WEBHOOKS
from giftsim.kernel.definitions import PackageDefinitions, merge
from giftsim.kernel.state import State

DEFINITIONS = merge(
    PackageDefinitions(settings=settings.ALL),
    BILLING,
    CATALOGUE,
    WEBHOOKS,
    ORDERS,
    PEOPLE,
    CAMPAIGNS,
    RULES,
    DESIGN,
)

SEEDS: tuple[Callable[[State, Mapping[str, Any]], None], ...] = (
    billing_seed.seed_billing,
    catalogue_seed.seed_collections,
    people_seed.seed_people,
    orders_seed.seed_sends,
    rules_seed.seed_deals,
)


def seed_team_sections(state: State, data: Mapping[str, Any]) -> None:
    """Seed the packages' sections of a fixture, in the order of SEEDS, in a state that has teams, keys and catalogue.

    Each seed opens its own transactions.
    """
    for seed in SEEDS:
        seed(state, data)
