"""What happened to the contacts of a team's CRMs: deals won and stages changed, which rules of the kind `crm` await."""

from __future__ import annotations

from giftsim.domain.team.people.contact import CONTACTS, Contact
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

DEAL_WON, STAGE_CHANGED = "deal_won", "stage_changed"


class DealEvent(Record, frozen=True, gc=False):
    """Something that happened to a contact (a slot) of a team (a slot) on a Los Angeles day, `YYYY-MM-DD`."""

    team: int
    contact: int
    trigger_type: str
    date: str


DEAL_EVENTS: TableSpec[DealEvent] = TableSpec("team.deal", DealEvent, groups={"team": lambda row: row.team})


def add_deal_event(state: State, contact: Contact, trigger_type: str, date: str) -> DealEvent:
    """Write down what happened to a contact."""
    return state[DEAL_EVENTS].add(DealEvent(state[DEAL_EVENTS].next_n, contact.team, contact.n, trigger_type, date))


def find_contact(state: State, team: int, provider: str, object_type: str, contact_id: str) -> Contact | None:
    """The contact that a CRM of a team (a slot) knows by that id, or None."""
    named = (provider, object_type, contact_id)
    for contact in state[CONTACTS].rows_in("team", team):
        if (contact.provider, contact.object_type, contact.id) == named:
            return contact
    return None


def deal_events(state: State, team: int, trigger_type: str) -> list[tuple[DealEvent, Contact]]:
    """What of this kind happened to a team's contacts, in the order of telling."""
    found = [deal for deal in state[DEAL_EVENTS].rows_in("team", team) if deal.trigger_type == trigger_type]
    return [(deal, state[CONTACTS].get(deal.contact)) for deal in found]
