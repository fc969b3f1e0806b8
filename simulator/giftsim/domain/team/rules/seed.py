"""The section `deals:` of a fixture: deal events of contacts in a team's CRMs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from giftsim.domain.problem import InvalidFixture
from giftsim.domain.team.people.upcoming_dates import ZONE
from giftsim.domain.team.rules.deal_event import add_deal_event, find_contact
from giftsim.domain.team.team import TEAMS
from giftsim.kernel.instants import local_date, parse_duration
from giftsim.kernel.state import State


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
