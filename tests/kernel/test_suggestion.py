"""Suggestions in error messages: the nearest known name, or all of them."""

from __future__ import annotations

import pytest

from giftsim.kernel.suggestion import nearest, suggest

KNOWN = ("advance", "restore", "undo")


@pytest.mark.parametrize(("name", "match"), [("advanse", "advance"), ("und", "undo"), ("xyz", None), ("", None)])
def test_the_nearest_name_is_one_that_is_alike(name: str, match: str | None) -> None:
    assert nearest(name, KNOWN) == match


def test_the_cutoff_says_how_alike_a_name_has_to_be() -> None:
    assert (nearest("store", KNOWN, 0.8), nearest("store", KNOWN, 0.9)) == ("restore", None)


def test_a_suggestion_names_the_nearest_or_lists_what_is_known() -> None:
    assert suggest("advanse", KNOWN) == "did you mean advance?"
    assert suggest("xyz", KNOWN) == "known are advance, restore, undo"
    assert suggest("xyz", KNOWN, "there are 3") == "there are 3"
    assert suggest("xyz", ()) == "known are none"
