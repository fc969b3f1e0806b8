"""The table of variants: each turns a decision of the pages over, by settings that a world takes."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.services.known import make_definitions
from giftsim.services.statements.decision import GUESS, load_decisions
from giftsim.services.statements.entry import all_entries
from giftsim.workbench.assumptions.variants import Variant, load_variants, settings_of
from tests.support.worlds import World

VARIANTS = load_variants()
SETTINGS = make_definitions().settings


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_a_world_takes_the_settings_of_a_variant_and_they_are_not_its_defaults(world: World, variant: Variant) -> None:
    before = world.call_control("GET", "/settings")
    after = world.call_control("PATCH", "/settings", variant.settings)
    changed = {name: value for name, value in _values(after).items() if value != _values(before)[name]}
    assert changed == variant.settings


def test_a_decision_names_the_settings_that_turn_it_over() -> None:
    named = {entry.id: {each.name for each in entry.settings} for entry in all_entries(SETTINGS)}
    lacking = {
        each.variant: sorted(set(each.settings) - named[each.decision])
        for each in VARIANTS.values()
        if not set(each.settings) <= named[each.decision]
    }
    assert not lacking


def test_more_than_forty_guesses_have_a_variant() -> None:
    known = load_decisions()
    assert len({each.decision for each in VARIANTS.values() if known[each.decision].basis == GUESS}) > 40


def test_no_setting_has_two_values_so_that_all_variants_can_be_read_at_once() -> None:
    together = settings_of(VARIANTS)
    assert sum(len(each.settings) for each in VARIANTS.values()) == len(together)


def _values(answer: Any) -> dict[str, Any]:
    values: dict[str, Any] = answer.get("settings", answer)
    return values
