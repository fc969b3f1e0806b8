"""Deal events of a team's CRMs, which rules of the kind `crm` react to: a deal won, or a stage changed."""

from __future__ import annotations

from giftsim.domain.team.people.contact import CONTACTS, Contact
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

DEAL_WON, STAGE_CHANGED = "deal_won", "stage_changed"


class DealEvent(Record, frozen=True, gc=False):
    """One event of a contact (a slot) of a team (a slot); `date` is its day in Los Angeles, `YYYY-MM-DD`."""

    team: int
    contact: int
    trigger_type: str
    date: str


DEAL_EVENTS: TableSpec[DealEvent] = TableSpec("team.deal", DealEvent, groups={"team": "team"})


def add_deal_event(state: State, contact: Contact, trigger_type: str, date: str) -> DealEvent:
    """Add an event of a contact."""
    return state[DEAL_EVENTS].add(DealEvent(state[DEAL_EVENTS].next_n, contact.team, contact.n, trigger_type, date))


def find_contact(state: State, team: int, provider: str, object_type: str, contact_id: str) -> Contact | None:
    """The contact with an id of the CRM, or None; `team` is a slot."""
    reference = (provider, object_type, contact_id)
    for contact in state[CONTACTS].rows_in("team", team):
        if (contact.provider, contact.object_type, contact.id) == reference:
            return contact
    return None


def deal_events(state: State, team: int, trigger_type: str) -> list[tuple[DealEvent, Contact]]:
    """The events of a type with their contacts, in the order in which they were added."""
    events = [event for event in state[DEAL_EVENTS].rows_in("team", team) if event.trigger_type == trigger_type]
    return [(event, state[CONTACTS].get(event.contact)) for event in events]
