"""Observed evidence: how often recorded traffic of the service fitted each decision, in a file that a team commits.

The file is JSON, sorted, with a line for each fact, so that it differs where the evidence does. A recording is known by
its name and by the digest of its content: comparing it again counts once (G483).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.documents import Observed, RecordingName
from giftsim.services.statements.decision import load_decisions
from giftsim.services.statements.statement import load_statements
from giftsim.workbench.assumptions.variants import load_variants

FORMAT: Final = 1
MOST_BYTES: Final = 16 << 20
_ID = re.compile(r"[A-Z0][\w.-]{0,15}")
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]{1,200}")


class RecordedTraffic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a recording begins, like `2027-01-04`, its number of exchanges, and the SHA-256 digest of its content."""

    date: str
    exchanges: int
    sha256: str


class Tally(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How often a recording fitted a decision and how often not; with `settings` giftsim would have fitted."""

    fits: int = 0
    differs: int = 0
    settings: dict[str, Any] = {}


class ObservedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file: `decisions` has for each decision the tallies by the names of recordings."""

    giftsim_observed: int
    recordings: dict[str, RecordedTraffic]
    decisions: dict[str, dict[str, Tally]]


class Contradiction(msgspec.Struct, frozen=True):
    """A decision that traffic contradicts; `settings` are those with which giftsim would fit, if any are known."""

    decision: str
    observed: Observed
    settings: tuple[Mapping[str, Any], ...]

    @property
    def line(self) -> str:
        """The contradiction as a line for people."""
        ways = " or ".join(_written(each) for each in self.settings)
        turned = f"it fits with {ways}" if ways else "no setting turns it"
        return f"{self.decision} {_title(self.decision)}: {self.observed.words}; {turned}"


class UnreadableObservations(ValueError):
    """A file that `compare --observed` did not write; the message names it, and says how to go on."""


class Observations:
    """What recordings showed of decisions; `of_file` reads a file, and `write` writes it."""

    def __init__(
        self, recordings: Mapping[str, RecordedTraffic] = {}, decisions: Mapping[str, Mapping[str, Tally]] = {}
    ) -> None:
        self.recordings = dict(recordings)
        self._decisions = {decision: dict(tallies) for decision, tallies in decisions.items()}

    @classmethod
    def of_file(cls, path: Path) -> Observations:
        """Those of a file; none if there is no such file. UnreadableObservations."""
        read = _read(path)
        return cls(read.recordings, read.decisions) if read is not None else cls()

    def begin(self, recording: str, content: bytes, *, date: str, exchanges: int) -> None:
        """Forget what this recording, or one of this name, has shown, because it is compared now. ValueError."""
        if not _NAME.fullmatch(recording):
            raise ValueError(f"a recording's name is the name of a file, not {recording[:60]!r}")
        digest = sha256(content).hexdigest()
        for name in [name for name, each in self.recordings.items() if name == recording or each.sha256 == digest]:
            del self.recordings[name]
            for tallies in self._decisions.values():
                tallies.pop(name, None)
        self.recordings[recording] = RecordedTraffic(date, exchanges, digest)

    def add(self, recording: str, decision: str, *, fits: bool, settings: Mapping[str, Any] | None = None) -> None:
        """Count that an exchange fitted a decision, or did not; `settings` are those with which giftsim would fit.

        ValueError for a recording that was not begun, and for a decision that there is not.
        """
        if recording not in self.recordings:
            raise ValueError(f"the recording {recording!r} was not begun")
        if decision not in known_ids():
            raise ValueError(f"there is no statement and no decision {decision!r}")
        tallies = self._decisions.setdefault(decision, {})
        tally = tallies.get(recording, Tally())
        tallies[recording] = Tally(
            tally.fits + fits, tally.differs + (not fits), dict(sorted({**tally.settings, **(settings or {})}.items()))
        )

    @property
    def by_id(self) -> Mapping[str, Observed]:
        """What was observed of each statement and decision that this version knows, by its id."""
        return {decision: self._observed(tallies) for decision, tallies in self._known()}

    @property
    def unknown(self) -> list[str]:
        """The ids in the file that this version of giftsim does not know; they stay in the file."""
        return [each for each in sorted(self._decisions, key=_in_order) if each not in known_ids()]

    @property
    def contradictions(self) -> list[Contradiction]:
        """The statements and decisions that traffic did not fit at least once, in the order of their ids."""
        found = ((each, tallies, self._observed(tallies)) for each, tallies in self._known())
        return [
            Contradiction(each, observed, _settings(each, tallies))
            for each, tallies, observed in found
            if observed.differs
        ]

    @property
    def warnings(self) -> list[str]:
        """What to say at the start: what traffic contradicts, and which ids this version does not know."""
        lines = [f"recorded traffic contradicts {each.line}" for each in self.contradictions]
        if self.unknown:
            lines.append(f"observed, but not known to this version of giftsim: {', '.join(self.unknown)}")
        return lines

    def write(self, path: Path) -> None:
        """Write the file; a reader sees the old one or the new one. OSError."""
        decisions = {
            each: dict(sorted(tallies.items()))
            for each, tallies in sorted(self._decisions.items(), key=lambda row: _in_order(row[0]))
            if tallies
        }
        content = ObservedFile(FORMAT, dict(sorted(self.recordings.items())), decisions)
        new = path.with_name(f"{path.name}.new")
        new.write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")
        new.replace(path)

    def _known(self) -> Iterator[tuple[str, Mapping[str, Tally]]]:
        rows = sorted(self._decisions.items(), key=lambda row: _in_order(row[0]))
        return ((each, tallies) for each, tallies in rows if tallies and each in known_ids())

    def _observed(self, tallies: Mapping[str, Tally]) -> Observed:
        names = [
            RecordingName(name, self.recordings[name].date, self.recordings[name].exchanges) for name in sorted(tallies)
        ]
        return Observed(
            sum(each.fits for each in tallies.values()), sum(each.differs for each in tallies.values()), tuple(names)
        )


@cache
def known_ids() -> frozenset[str]:
    """The ids of all statements and decisions."""
    return frozenset([*load_statements(), *load_decisions()])


def _read(path: Path) -> ObservedFile | None:
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MOST_BYTES else b""
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableObservations(f"{path}: {error.strerror}") from None
    try:
        read = msgspec.json.decode(content, type=ObservedFile)
        _check(read)
    except (ValueError, UnicodeDecodeError) as error:  # msgspec's errors are ValueErrors
        problem = f"it has more than {MOST_BYTES >> 20} MB" if size > MOST_BYTES else str(error)
        raise UnreadableObservations(
            f"{path} is not a file that `giftsim compare --observed` wrote: {problem}. Take the last one from your"
            " repository, or move it away and compare your recordings again"
        ) from None
    return read


def _check(read: ObservedFile) -> None:
    if read.giftsim_observed != FORMAT:
        raise ValueError(f"its format is {read.giftsim_observed}, and this giftsim reads {FORMAT}")
    for decision, tallies in read.decisions.items():
        if not _ID.fullmatch(decision):
            raise ValueError(f"{decision[:60]!r} is not the id of a decision")
        for name, tally in tallies.items():
            if name not in read.recordings:
                raise ValueError(f"{decision} names the recording {name[:60]!r}, which `recordings` does not have")
            if min(tally.fits, tally.differs) < 0:
                raise ValueError(f"{decision} has a number below 0")


def _in_order(text: str) -> tuple[tuple[str, int], ...]:
    """Ids sort by their numbers: A2 before A10."""
    return tuple((words, int(digits or -1)) for words, digits in re.findall(r"([^\d]*)(\d*)", text))


def _settings(decision: str, tallies: Mapping[str, Tally]) -> tuple[Mapping[str, Any], ...]:
    """The settings that the recordings found, else those of the other readings of the decision."""
    found = [tally.settings for tally in tallies.values() if tally.settings]
    other = [each.settings for each in load_variants().values() if each.decision == decision]
    rows = found or other
    return tuple(each for n, each in enumerate(rows) if each not in rows[:n])


def _written(settings: Mapping[str, Any]) -> str:
    return " and ".join(f"{name}: {msgspec.json.encode(value).decode()}" for name, value in settings.items())


def _title(decision: str) -> str:
    known = load_decisions().get(decision)
    return known.title if known is not None else load_statements()[decision].text
