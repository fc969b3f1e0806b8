"""The section `teams:` of a fixture, which is seeded before the keys that are bound to teams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from giftsim.engine.kernel.instants import local_date, parse_duration
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidFixture, in_fixture
from giftsim.services.gifting.domain.fulfilment.products import Product
from giftsim.services.gifting.domain.team.billing.billing_profile import create_cost_center
from giftsim.services.gifting.domain.team.billing.wallet import change_balance, change_terms, create_wallet
from giftsim.services.gifting.domain.team.items import COLLECTIONS, Collection, find_item
from giftsim.services.gifting.domain.team.member import add_member, sign_in
from giftsim.services.gifting.domain.team.people.upcoming_dates import ZONE
from giftsim.services.gifting.domain.team.rules.rule import add_deal_event, find_contact
from giftsim.services.gifting.domain.team.team import TEAMS, Team, create_team
from giftsim.services.gifting.domain.team.tenant import live_tenant

Cents = Annotated[int, msgspec.Meta(ge=0)]


class CreditEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Credit terms."""

    credit_limit_cents: Cents
    net_days: Annotated[int, msgspec.Meta(ge=0, le=365)] = 30
    status: Literal["active", "suspended"] = "active"


class WalletEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The money with which a team starts; `cost_centers` maps codes to names."""

    balance_cents: Cents = 0
    credit: CreditEntry | None = None
    cost_centers: dict[str, str] = {}


def seed_billing(state: State, data: Mapping[str, Any]) -> None:
    """Create the wallet of every team in a fresh state. InvalidFixture says where the section is wrong."""
    with in_fixture("billing"):
        entries = msgspec.convert(data.get("billing", {}), dict[str, WalletEntry])
    with in_fixture("billing"), state.transaction():
        for team in state[TEAMS]:
            _seed_team_billing(state, team, entries.get(team.label, WalletEntry()))
    for label in entries:
        if state[TEAMS].find("label", label) is None:
            raise InvalidFixture(f"the fixture's billing: there is no team {label}")


def _seed_team_billing(state: State, team: Team, entry: WalletEntry) -> None:
    create_wallet(state, team.n, team.label)
    change_balance(state, team.n, entry.balance_cents)
    if entry.credit is not None:
        change_terms(state, team.n, msgspec.structs.asdict(entry.credit))
    for code, name in entry.cost_centers.items():
        create_cost_center(state, live_tenant(team.n), code, name)


Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,64}$")]


class CollectionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A collection of `items`, given by their slugs."""

    id: Annotated[int, msgspec.Meta(ge=1)]
    slug: Slug
    name: Annotated[str, msgspec.Meta(min_length=1)]
    items: Annotated[tuple[Slug, ...], msgspec.Meta(min_length=1)]


def seed_collections(state: State, data: Mapping[str, Any]) -> None:
    """Add a fixture's collections to a state that has its products. InvalidFixture says what is wrong."""
    try:
        entries = msgspec.convert(data.get("collections", ()), tuple[CollectionEntry, ...])
        with state.transaction():
            for entry in entries:
                products = tuple(_item(state, slug).n for slug in dict.fromkeys(entry.items))
                n = state[COLLECTIONS].next_n
                state[COLLECTIONS].add(Collection(n, entry.id, entry.slug, entry.name, products))
    except ValueError as error:
        raise InvalidFixture(f"the fixture's collections: {error}") from None


def _item(state: State, slug: str) -> Product:
    product = find_item(state, slug)
    if product is None:
        raise InvalidFixture(f"the fixture's collections: there is no product {slug} that all accounts can order")
    return product


class DealEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal event of a contact in the section `crm:`, this long `after` the start of the world."""

    team: str
    provider: str
    id: str
    trigger_type: Literal["deal_won", "stage_changed"]
    object_type: str = "contact"
    after: str = "0s"


def seed_deals(state: State, data: Mapping[str, Any]) -> None:
    """Add a fixture's deal events to a state that has its contacts. InvalidFixture says what is wrong."""
    try:
        entries = msgspec.convert(data.get("deals", ()), tuple[DealEntry, ...])
        days = [local_date(state.now_ms + parse_duration(entry.after), ZONE) for entry in entries]
    except ValueError as error:
        raise InvalidFixture(f"the fixture's deals: {error}") from None
    with state.transaction():
        for entry, day in zip(entries, days, strict=True):
            team = state[TEAMS].find("label", entry.team)
            contact = find_contact(state, team.n, entry.provider, entry.object_type, entry.id) if team else None
            if contact is None:
                raise InvalidFixture(f"the fixture's deals: {entry.team} has no {entry.object_type} {entry.id}")
            add_deal_event(state, contact, entry.trigger_type, day)


Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]{1,64}$")]


class MemberEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A member, listed by user name; `session` is the name of a session that is signed in from the beginning."""

    name: str
    role: Literal["owner", "approver", "member"] = "member"
    session: Name | None = None


class TeamEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A team, listed by label; `age` is how long before the start of the world it was created."""

    name: str
    plan: Literal["sandbox", "starter", "growth", "enterprise"] = "sandbox"
    age: str = "0s"
    ach_enabled: bool = True
    members: dict[str, MemberEntry] = {}


def seed_teams(state: State, entries: Mapping[str, TeamEntry]) -> dict[str, Team]:
    """Create the teams of a fixture with their members and sessions, by label. ValueError for an invalid `age`."""
    return {label: _create_seeded_team(state, label, entry) for label, entry in entries.items()}


def _create_seeded_team(state: State, label: str, entry: TeamEntry) -> Team:
    created_ms = state.now_ms - parse_duration(entry.age)
    team = create_team(state, label, entry.name, plan=entry.plan, ach_enabled=entry.ach_enabled, created_ms=created_ms)
    for user, each in entry.members.items():
        member = add_member(state, team, user, each.name, each.role, created_ms)
        if each.session is not None:
            sign_in(state, member, each.session, each.session)
    return team
