"""The team sections of a fixture: people, CRM contacts and collections."""

from __future__ import annotations

from datetime import MAXYEAR, date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.shipment import STATUSES
from giftsim.services.gifting.domain.team.orders import gift, team_order
from giftsim.services.gifting.domain.team.orders.approval import APPROVAL, PENDING
from giftsim.services.gifting.domain.team.people.crm_contact import CRM_CONNECTIONS, find_contacts
from giftsim.services.gifting.domain.team.people.person import PEOPLE, Person, roster_slots
from giftsim.services.gifting.domain.team.people.upcoming_dates import UpcomingDate, next_occurrence, upcoming_dates
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import live_tenant
from tests.support.domain.team_state import seed_team_state

tallies = st.lists(st.integers(0, 3), min_size=len(STATUSES), max_size=len(STATUSES))
GOING = {"awaiting": "sent", "submitted": "claimed", "in_production": "claimed", "labeled": "claimed",
         "delayed": "claimed", "shipped": "shipped", "delivered": "delivered"}  # fmt: skip
OUT = ("rejected", "expired", "canceled")


def tally(**counts: int) -> list[int]:
    """A tally with these counts."""
    return [counts.get(status, 0) for status in STATUSES]


@given(counts=tallies)
def test_a_gift_has_the_status_of_its_least_advanced_recipient_under_way(counts: list[int]) -> None:
    rows = [status for status, count in zip(STATUSES, counts, strict=True) for _ in range(count)]
    going = [gift.PROGRESS.index(GOING[status]) for status in rows if status in GOING]
    status = gift.gift_status(counts)
    if going:
        assert status == gift.PROGRESS[min(going)]
    else:
        assert status in OUT
        assert status in rows or not rows


@given(counts=tallies, status=st.sampled_from(team_order.PROGRESS[1:]))
def test_an_order_moves_with_its_first_parcels_ends_with_its_last_and_never_goes_back(
    counts: list[int], status: str
) -> None:
    by = dict(zip(STATUSES, counts, strict=True))
    left = sum(counts) - by["rejected"] - by["expired"] - by["canceled"]
    reached = team_order.order_status(status, counts)
    places = team_order.PROGRESS
    assert places.index(reached) >= places.index(status)
    if reached != status:
        assert (reached == "delivered") == (by["delivered"] == left)
        assert by[reached] or (reached, bool(by["labeled"] or by["delivered"])) in (
            ("in_production", True),
            ("shipped", True),
        )


def test_examples_of_order_statuses() -> None:
    assert team_order.order_status("approved", tally(awaiting=2, submitted=1)) == "approved"
    assert team_order.order_status("approved", tally(awaiting=1, in_production=1)) == "in_production"
    assert team_order.order_status("approved", tally(submitted=1, delivered=1)) == "shipped"
    assert team_order.order_status("in_production", tally(shipped=1, delivered=1, expired=4)) == "shipped"
    assert team_order.order_status("in_production", tally(delivered=1, canceled=1)) == "delivered"
    assert team_order.order_status("delivered", tally(delivered=1, in_production=1)) == "delivered"
    assert team_order.order_status("approved", tally(expired=2)) == "approved"


def test_a_decided_approval_stays_except_that_another_price_supersedes_an_approved_one() -> None:
    ends = {(row.state, row.target) for row in APPROVAL.rows}
    assert {target for state, target in ends if state == PENDING} == {"approved", "rejected", "canceled", "superseded"}
    assert {(state, target) for state, target in ends if state != PENDING} == {("approved", "superseded")}


DAYS = st.dates(min_value=date(1, 1, 1), max_value=date(9990, 12, 31))


def occurs_on(month_day: str, day: date) -> bool:
    """Whether the yearly date falls on this day; February 29 falls on the 28th in other years."""
    if day.isoformat()[5:] == month_day:
        return True
    return month_day == "02-29" and day.isoformat()[5:] == "02-28" and (day + timedelta(days=1)).month == 3


def search(month_day: str, first: date) -> date:
    """The next such day, found by trying each day."""
    return next(day for day in (first + timedelta(days=i) for i in range(400)) if occurs_on(month_day, day))


@given(day=DAYS, first=DAYS)
def test_the_next_date_matches_a_day_by_day_search(day: date, first: date) -> None:
    month_day = day.isoformat()[5:]
    assert next_occurrence(month_day, first) == search(month_day, first)


@pytest.mark.parametrize("year", [1900, 2000, 2027, 2028, 2100])
def test_a_leap_day_occurs_once_a_year(year: int) -> None:
    first = date(year, 1, 1)
    matches = [
        first + timedelta(days=i)
        for i in range(365)
        if next_occurrence("02-29", first + timedelta(days=i)) == first + timedelta(days=i)
    ]
    assert len(matches) == 1
    assert matches[0].month == 2


@given(start=DAYS, first=DAYS, days=st.integers(0, 366))
def test_anniversaries_count_full_years_and_come_within_the_window(start: date, first: date, days: int) -> None:
    person = Person(0, "team 0", 1, 0, 0, "bo@example.com", start_date=start.isoformat())
    day = search(start.isoformat()[5:], first)
    years = day.year - start.year
    expected = (UpcomingDate("work_anniversary", day.isoformat(), years),)
    assert upcoming_dates(person, first, days) == (expected if years >= 1 and (day - first).days <= days else ())


def test_there_is_no_next_date_after_the_calendar_ends() -> None:
    assert next_occurrence("01-01", date(MAXYEAR, 1, 2)) is None
    assert next_occurrence("12-31", date(MAXYEAR, 12, 31)) == date.max


BO = {"work_email": "bo@example.com"}


def people(state: State, label: str = "northwind") -> list[Person]:
    """The people in the live roster of a team."""
    team = state[TEAMS].find("label", label)
    assert team is not None
    return [state[PEOPLE].get(n) for n in roster_slots(state, live_tenant(team.n))]


def providers(state: State, team: int) -> list[str]:
    """The providers that a team (a slot) has connected."""
    return [row.provider for row in state[CRM_CONNECTIONS] if row.team == team]


def test_the_empty_fixture_has_crm_connections_but_no_people() -> None:
    state = seed_team_state("empty")
    assert (providers(state, 0), providers(state, 1)) == (["hubspot", "salesforce"], ["hubspot"])
    assert find_contacts(state, 0) == find_contacts(state, 1) == []
    assert (people(state), people(state, "other")) == ([], [])


@pytest.mark.parametrize("now", ["2027-01-04T09:00:00Z", "1999-02-28T23:59:59Z", "2096-12-31T12:00:00Z"])
def test_the_default_fixture_has_a_few_hundred_people_at_any_time(now: str) -> None:
    state = seed_team_state("default", now)
    assert 200 <= len(people(state)) <= 400
    assert people(state, "other")
    assert all(person.start_date is None or person.start_date <= now[:10] for person in people(state))
    assert any(person.provider for person in people(state))
    assert {contact.provider for contact in find_contacts(state, 0, limit=500)} == {"hubspot", "salesforce"}


def test_the_same_fixture_gives_the_same_fingerprint() -> None:
    fixture = {
        "people": [{"team": "northwind", "generated": 20}],
        "crm": [{"team": "other", "provider": "hubspot", "generated": 5}],
    }
    assert fingerprint(seed_team_state(fixture)) == fingerprint(seed_team_state(fixture))
    assert fingerprint(seed_team_state("default")) == fingerprint(seed_team_state("default"))


def test_people_are_generated_by_number_and_seed() -> None:
    def seeded(**entry: Any) -> list[Person]:
        return people(seed_team_state({"people": [{"team": "northwind", **entry}]}))

    assert len(seeded(generated=40)) == 40
    assert seeded(generated=3) == seeded(generated=40)[:3] == seeded(generated=3, seed=1)
    assert seeded(generated=3) != seeded(generated=3, seed=2)
    assert [person.work_email for person in seeded(generated=1, rows=[BO])][:1] == ["bo@example.com"]


def test_contacts_are_generated() -> None:
    state = seed_team_state({"crm": [{"team": "other", "provider": "pipedrive", "generated": 30}]})
    assert providers(state, 1) == ["hubspot", "pipedrive"]
    assert len(find_contacts(state, 1, provider="pipedrive")) == 30


def test_rows_and_csv_give_the_same_people() -> None:
    table = (
        "work_email,first_name,started,provider,managed\nbo@example.com,Bo,10d,hubspot,zip status\ncy@example.com,,,,\n"
    )
    bo = {**BO, "first_name": "Bo", "started": "10d", "provider": "hubspot", "managed": ["zip", "status"]}
    by_table = people(seed_team_state({"people": [{"team": "northwind", "csv": table}]}))
    assert by_table == people(
        seed_team_state({"people": [{"team": "northwind", "rows": [bo, {"work_email": "cy@example.com"}]}]})
    )
    assert (by_table[0].start_date, by_table[0].managed, by_table[1].first_name) == (
        "2026-12-25",
        ("zip", "status"),
        None,
    )


@pytest.mark.parametrize(
    ("fixture", "message"),
    [
        ({"people": [{"team": "nobody", "rows": [BO]}]}, "no team nobody"),
        ({"people": [{"team": "other", "rows": [{"work_email": "bo"}]}]}, "people"),
        ({"people": [{"team": "other", "rows": [{**BO, "start_date": "2026-02-30"}]}]}, "people"),
        ({"people": [{"team": "other", "rows": [{**BO, "started": "soon"}]}]}, "soon"),
        ({"people": [{"team": "other", "csv": "work_email,colour\nbo@example.com,red\n"}]}, "line 2"),
        ({"people": [{"team": "other", "csv": "work_email\nbo@example.com,more\n"}]}, "line 2"),
        ({"crm": [{"team": "other", "provider": "Hub Spot"}]}, "crm"),
        ({"crm": [{"team": "other", "provider": "hubspot", "csv": "id,name,email\n1 2,A,a@b.c\n"}]}, "id"),
        ({"collections": [{"id": 1, "slug": "kit", "name": "Kit", "items": ["nope"]}]}, "product nope"),
        ({"collections": [{"id": 1, "slug": "kit", "name": "Kit", "items": ["next-01"]}]}, "next-01"),
        ({"collections": [{"id": 801, "slug": "kit", "name": "Kit", "items": ["mug-01"]}]}, "taken"),
        ({"collections": [{"id": 1, "slug": "kit", "name": "Kit", "items": []}]}, "items"),
    ],
)  # fmt: skip
def test_an_invalid_section_says_where(fixture: dict[str, Any], message: str) -> None:
    with pytest.raises(Problem, match=message) as refused:
        seed_team_state(fixture)
    assert refused.value.code == "invalid_world"
