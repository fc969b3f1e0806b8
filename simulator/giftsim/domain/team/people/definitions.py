"""What people and contacts add to every world; nothing of it is timed."""

from __future__ import annotations

from giftsim.domain.team.people import person, upcoming_dates
from giftsim.domain.team.people.contact import CONNECTIONS, CONTACTS, OUTAGES
from giftsim.kernel.definitions import PackageDefinitions

DEFINITIONS = PackageDefinitions(
    tables=(person.PEOPLE, CONNECTIONS, CONTACTS, OUTAGES),
    settings=(*person.SETTINGS, upcoming_dates.WINDOW_DAYS),
)
