"""The team sections of a fixture: people, CRM contacts and collections."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.domain.team.people.contact import connected_providers, find_contacts
from giftsim.domain.team.people.person import PEOPLE, Person, roster_slots
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import live_tenant
from giftsim.kernel.serializer import fingerprint
from giftsim.kernel.state import State
from giftsim.problem import Problem
from tests.support.domain.team_state import seed_team_state

BO = {"work_email": "bo@example.com"}


def people(state: State, label: str = "northwind") -> list[Person]:
    """The people in the live roster of a team."""
    team = state[TEAMS].find("label", label)
    assert team is not None
    return [state[PEOPLE].get(n) for n in roster_slots(state, live_tenant(team.n))]


def test_the_empty_fixture_has_crm_connections_but_no_people() -> None:
    state = seed_team_state("empty")
    assert (connected_providers(state, 0), connected_providers(state, 1)) == (["hubspot", "salesforce"], ["hubspot"])
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
    assert connected_providers(state, 1) == ["hubspot", "pipedrive"]
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
