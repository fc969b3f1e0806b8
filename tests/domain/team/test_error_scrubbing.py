"""Scrubbing of provider error texts: only plain words are kept, nothing like an address, a link or a token."""

from __future__ import annotations

from base64 import b32encode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.services.gifting.domain.team.free_text_redaction import REMOVED
from giftsim.services.gifting.domain.team.people.crm_contact import MAX_LENGTH, scrub
from tests.shows import shows

SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    quote,
    lambda text: b64encode(text.encode()).decode(),
    lambda text: urlsafe_b64encode(text.encode()).decode().rstrip("="),
    lambda text: b32encode(text.encode()).decode(),
    lambda text: text.encode().hex(),
    lambda text: f'{{"to":"{text}"}}',
    lambda text: f"<{text}>,",
    lambda text: f"mailto:{text}",
)
ADDRESSES = st.from_regex(r"[a-z]{1,9}[.+][a-z]{1,9}@[a-z]{2,9}\.(example|com)", fullmatch=True)
LINKS = st.from_regex(r"https?://[a-z.]{4,12}/claim/[a-z]{1,9}/[0-9a-f]{20}", fullmatch=True)
WORDS = st.lists(st.sampled_from(["the", "request", "for", "failed", "(500),", "see"]), max_size=4).map(" ".join)


@shows("T-1.12")
@given(secret=st.one_of(ADDRESSES, LINKS), encode=st.sampled_from(SPELLINGS), before=WORDS, after=WORDS)
def test_no_spelling_of_a_secret_is_kept(secret: str, encode: Callable[[str], str], before: str, after: str) -> None:
    result = scrub(f"{before} {encode(secret)} {after}")
    assert encode(secret) not in result
    assert secret not in result
    assert result == " ".join(part for part in (before, REMOVED, after) if part)


@pytest.mark.parametrize(
    "text",
    [
        "The API is down for maintenance.",
        "HTTP 503: try again in 30 seconds!",
        "We don't know (yet) why; sign-in failed",
        "",
    ],
)
def test_plain_words_are_kept(text: str) -> None:
    assert scrub(text) == text


@pytest.mark.parametrize(
    "text", ["a@b", "x.y", "b＠c.de", "whsec_abc", "5e6f70a1b2", "aGk", "a\u200bb", "%40", "/claim", "q\u0001"]
)
def test_other_words_are_removed(text: str) -> None:
    assert scrub(text) == REMOVED


def test_long_text_becomes_one_short_line() -> None:
    result = scrub("it failed\n\tagain " * 100)
    assert (len(result), result[-3:]) == (MAX_LENGTH, "...")
    assert scrub("no a@b c@d e@f left") == f"no {REMOVED} left"
