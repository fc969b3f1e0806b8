"""The tables and settings of people and contacts."""

from __future__ import annotations

from giftsim.domain.team.people import person, upcoming_dates
from giftsim.domain.team.people.contact import CONTACTS, CRM_CONNECTIONS, CRM_OUTAGES
from giftsim.kernel.definitions import PackageDefinitions

DEFINITIONS = PackageDefinitions(
    tables=(person.PEOPLE, CRM_CONNECTIONS, CONTACTS, CRM_OUTAGES),
    settings=(*person.SETTINGS, upcoming_dates.WINDOW_DAYS),
)
