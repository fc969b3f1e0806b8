"""The search through the documentation finds pages by questions in a reader's words."""

from __future__ import annotations

import pytest

from giftsim.console.page_search import search, words_of
from tests.support.reader_questions import MOST_MISSED, QUESTIONS, missed


def names(text: str) -> list[str]:
    """The names of the pages that a text finds, best first."""
    return [found.at.partition("#")[0] for found in search(text, 5)]


def test_the_first_three_results_have_the_page_that_answers() -> None:
    assert len(QUESTIONS) == 40
    assert len(wrong := missed(names)) <= MOST_MISSED, wrong


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("hold a delivery", "how-to/receive-webhooks#hold-a-delivery"),
        ("rotate secret", "how-to/verify-webhooks#replace-the-secret"),
        ("settings", "reference/settings"),
        ("errors", "reference/errors"),
        ("move time", "how-to/move-time"),
    ],
)
def test_a_heading_a_question_and_a_title_find_their_section(text: str, at: str) -> None:
    assert search(text, 1)[0].at == at


def test_a_section_says_its_first_sentence() -> None:
    [found] = search("hold a delivery", 1)
    assert found.answers == "In the mode hold a receiver does not respond until you answer for it"


def test_a_word_that_is_being_typed_finds_what_begins_with_it() -> None:
    assert names("testcont")[0] == "how-to/run-in-ci"


def test_what_no_page_has_finds_nothing() -> None:
    assert search("xyzzy", 3) == []
    assert search("xyzzy plugh webhooks", 3) == []
    assert search("", 3) == []


def test_words_are_compared_by_their_stems_without_those_that_say_nothing() -> None:
    assert words_of("How do I decline a card?") == words_of("declined cards")
    assert words_of("retries") == words_of("retry")
    assert words_of("how do I") != frozenset()
