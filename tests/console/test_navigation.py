"""The navigation is made from what each page says of its place."""

from __future__ import annotations

import pytest

from giftsim.console.page import Place, navigation

MONEY = Place("Money", "money.show", "m", "money", "Gifting", 2)
INBOX = Place("Inbox", "inbox.show", "i", "inbox", "Gifting", 1)


def test_places_stand_in_their_groups_by_rank_and_without_one_at_the_end() -> None:
    late = [Place(title, "late.show", title[0], "book", "Gifting") for title in ("Zoo", "Attic")]
    found = navigation([*late, MONEY, INBOX])
    assert [place.title for place in found["Gifting"]] == ["Inbox", "Money", "Attic", "Zoo"]
    assert list(found) == ["", "Gifting", "Integration", "World", "Tools"]


def test_two_pages_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^the pages Money and Mail both have the key m$"):
        navigation([MONEY, Place("Mail", "mail.show", "m", "mail", "Tools")])


def test_a_page_in_a_group_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^the page Attic is in the group 'House'; there are Gifting, Integration, "):
        navigation([Place("Attic", "attic.show", "x", "home", "House")])
