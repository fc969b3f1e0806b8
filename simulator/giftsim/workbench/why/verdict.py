"""A verdict: one sentence that says why, the entries that prove it, and the line that would change it."""

from __future__ import annotations

import msgspec


class Mark(msgspec.Struct, frozen=True):
    """An entry of the trace that proves a verdict, by its number `n`, with a few words on what it shows."""

    entry: int
    what: str


class Mend(msgspec.Struct, frozen=True, kw_only=True):
    """The line that would change it, as text to paste: with the names `giftsim`, `world`, and `app` for an app.

    Each is None where there is none for its place.
    """

    pytest: str | None = None
    vitest: str | None = None
    curl: str | None = None
    scenario: str | None = None


NO_LINE = Mend()


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Why something did not happen. `why_not` says why no line would change it, where `mend` has none."""

    kind: str
    sentence: str
    marks: tuple[Mark, ...] = ()
    mend: Mend = NO_LINE
    why_not: str | None = None
