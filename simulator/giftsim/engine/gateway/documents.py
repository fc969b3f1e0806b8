"""What the documents of services say, as lists show it: statements, decisions, and the texts of state machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.setting import Setting

Settings = Mapping[str, Setting[Any]]
DECISION: Final = "decision"
PASSED: Final = "passed"
OBSERVED: Final = "observed"


class NamedSetting(msgspec.Struct, frozen=True):
    """A setting that changes what was decided, with its default."""

    name: str
    default: Any


class ShowingTest(msgspec.Struct, frozen=True):
    """A test that names a statement; `outcome` is None if no run of it is known here."""

    test: str
    outcome: str | None


class RecordingName(msgspec.Struct, frozen=True):
    """A recording of traffic: the name of its file, the date of its first exchange, and how many it has."""

    name: str
    date: str
    exchanges: int


class Observed(msgspec.Struct, frozen=True):
    """How often recorded traffic fitted what is said, how often it did not, and in which recordings."""

    fits: int
    differs: int
    recordings: tuple[RecordingName, ...]

    @property
    def words(self) -> str:
        """This as words for people."""
        times = f"{self.fits + self.differs} times" if self.fits + self.differs != 1 else "once"
        named = ", ".join(f"{each.name} of {each.date}" for each in self.recordings)
        against = f", {self.differs} of them against it" if self.differs and self.fits else ""
        return f"observed {times} in {named}{against}" if self.fits else f"contradicted {times} in {named}"


class Entry(msgspec.Struct, frozen=True):
    """A statement or a decision. `kind` is `decision` for decisions; `inferred` is the part that no document says.

    `outcome` is None for decisions, which are not statements of the documents, and where no run of a test is known.
    `observed` is None where no recording of traffic is known.
    """

    id: str
    family: str
    kind: str
    basis: str
    text: str
    inferred: str | None
    check: str | None
    settings: tuple[NamedSetting, ...]
    tests: tuple[ShowingTest, ...]
    outcome: str | None
    observed: Observed | None = None

    @property
    def is_statement(self) -> bool:
        """Whether it is a statement of the documents."""
        return self.kind != DECISION


def with_observed(entries: Iterable[Entry], observed: Mapping[str, Observed]) -> list[Entry]:
    """Entries, with what was observed of each, by its id."""
    if not observed:
        return list(entries)
    return [msgspec.structs.replace(entry, observed=observed.get(entry.id)) for entry in entries]


class Summary(msgspec.Struct, frozen=True):
    """How many statements there are, how many of them have a test that passed, and how many decisions there are."""

    statements: int
    shown: int
    decisions: int
    outcomes_known: bool

    def __str__(self) -> str:
        if not self.statements:
            return f"{self.decisions} decision{'s' if self.decisions != 1 else ''}"
        if self.outcomes_known:
            return f"{self.shown} of {self.statements} statements shown by passing tests"
        plural = "s" if self.statements != 1 else ""
        return f"{self.statements} statement{plural}; no test was run here, so no outcome is known"


def count_entries(entries: Sequence[Entry]) -> Summary:
    """Count entries."""
    statements = [entry for entry in entries if entry.is_statement]
    shown = sum(entry.outcome == PASSED for entry in statements)
    known = any(entry.outcome for entry in statements)
    return Summary(len(statements), shown, len(entries) - len(statements), known)


def with_former_names(listing: Mapping[str, Any], former: str) -> dict[str, Any]:
    """A listing of statements, with the members that had a former name under that one as well."""
    summary = {**listing["summary"], former: listing["summary"]["statements"]}
    return {**listing, former: listing["statements"], "summary": summary}


NOT_RUN = "not_run"


class Selection(msgspec.Struct, frozen=True):
    """Conditions that an entry must meet, all of them. An empty one is met by every entry.

    `ids` are ids or beginnings of them: `P-6` selects P-6.1, P-6.2 and so on. `decided` None selects statements and
    decisions alike. `without_test` selects the statements that no test names. `text` is looked for in any letter case.
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
            and (_one_of(entry.basis, self.bases) or (OBSERVED in self.bases and entry.observed is not None))
            and (self.decided is None or self.decided is not entry.is_statement)
            and (not self.outcomes or (entry.is_statement and (entry.outcome or NOT_RUN) in self.outcomes))
            and not (self.without_test and (entry.tests or not entry.is_statement))
            and self.text.casefold() in entry.text.casefold()
        )


def _one_of(value: str, wanted: tuple[str, ...]) -> bool:
    return not wanted or value in wanted


def _is_under(entry_id: str, wanted: str) -> bool:
    return entry_id == wanted or entry_id.startswith(f"{wanted}.")


# ---- State machines


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a trigger or timer is due. `after` says from when its delay counts, `settings` what changes it."""

    source: tuple[str, ...]
    after: str = ""
    settings: tuple[str, ...] = ()


class TriggerText(Timing, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a trigger or timer does, and when it is due; `in_state` has the states in which it is due otherwise."""

    does: str
    in_state: Mapping[str, Timing] = {}

    def timing(self, state: str) -> Timing:
        """When it is due in a state."""
        return self.in_state.get(state, self)


class MachineText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a machine describes, and what each of its triggers does."""

    about: str
    source: tuple[str, ...]
    triggers: Mapping[str, TriggerText]


class Documents(msgspec.Struct, frozen=True):
    """What the documents say, read by the first call of each function.

    `entries(settings)` are all statements, then all decisions, with the settings that change them. `bases()` is how
    sure each is, by its id, and `machines()` the texts of the state machines by their names. `former_name` is that of
    statements in paths and members, to which lists still answer. `observed` is what recorded traffic showed, by id.
    """

    entries: Callable[[Settings], Sequence[Entry]] = lambda _settings: ()
    bases: Callable[[], Mapping[str, str]] = dict
    machines: Callable[[], Mapping[str, MachineText]] = dict
    former_name: str = ""
    observed: Mapping[str, Observed] = {}
