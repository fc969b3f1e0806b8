"""The roster, the contacts of a CRM, the rules for their deals, and their model do not differ."""

from __future__ import annotations

from tests.models.people_machine import PeopleMachine
from tests.models.people_rules_machine import PeopleRulesMachine
from tests.models.world import run_model
from tests.shows import shows


@shows("T-1.9", "T-2.15")
def test_gifts_to_people_and_contacts_do_what_the_model_says() -> None:
    run_model(PeopleMachine, sequences=100, steps=20)


def test_rules_for_deals_do_what_the_model_says() -> None:
    run_model(PeopleRulesMachine, sequences=100, steps=25)
