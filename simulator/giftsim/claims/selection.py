"""Which entries a reader asks for."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from giftsim.claims.entry import Entry

NOT_RUN = "not_run"


class Selection(msgspec.Struct, frozen=True):
    """Conditions that an entry must meet, all of them. An empty one is met by every entry.

    `ids` are ids or beginnings of them: `P-6` selects P-6.1, P-6.2 and so on. `decided` None selects claims and
    decisions alike. `without_test` selects the claims that no test names. `text` is looked for in any letter case.
    """

    ids: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    decided: bool | None = None
    without_test: bool = False
    text: str = ""

    def of(self, entries: Iterable[Entry]) -> list[Entry]:
        """The entries that meet all conditions."""
        return [entry for entry in entries if self._meets(entry)]

    def _meets(self, entry: Entry) -> bool:
        return (
            (not self.ids or any(_is_under(entry.id, wanted) for wanted in self.ids))
            and _one_of(entry.family, self.families)
            and _one_of(entry.kind, self.kinds)
            and _one_of(entry.basis, self.bases)
            and (self.decided is None or self.decided is not entry.is_claim)
            and (not self.outcomes or (entry.is_claim and (entry.outcome or NOT_RUN) in self.outcomes))
            and not (self.without_test and (entry.tests or not entry.is_claim))
            and self.text.casefold() in entry.text.casefold()
        )


def _one_of(value: str, wanted: tuple[str, ...]) -> bool:
    return not wanted or value in wanted


def _is_under(entry_id: str, wanted: str) -> bool:
    return entry_id == wanted or entry_id.startswith(f"{wanted}.")
