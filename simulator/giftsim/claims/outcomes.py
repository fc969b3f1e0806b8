"""The last outcomes of the tests that show claims, as test runs write them to `build/claims.json` of a checkout.

The file maps each test to the claims that it names, and each of these to an outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
WORST_FIRST = (FAILED, PASSED, SKIPPED)

Outcomes = Mapping[str, Mapping[str, str]]
NONE: Outcomes = MappingProxyType({})


class UnreadableOutcomes(ValueError):
    """A file that no test run wrote; the message names it."""


def outcomes_path() -> Path:
    """Where test runs of the checkout that holds this package write outcomes. An installed package has no such file."""
    return Path(__file__).parents[3] / "build" / "claims.json"


def read_outcomes(path: Path) -> Outcomes:
    """The outcomes in a file; none if there is no such file. UnreadableOutcomes if it is something else."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, str]])
    except FileNotFoundError:
        return NONE
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableOutcomes(f"{path} has no outcomes of a test run: {error}") from None


def write_outcomes(path: Path, outcomes: Outcomes) -> None:
    """Write outcomes to a file; its folder is made if need be. A reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = {test: dict(sorted(outcomes[test].items())) for test in sorted(outcomes)}
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(ordered)) + b"\n")
    new.replace(path)


def worst(outcomes: Iterable[str | None]) -> str | None:
    """The outcome of several tests together: failed if one failed, else passed if one passed; None if none ran."""
    found = set(outcomes)
    return next((outcome for outcome in WORST_FIRST if outcome in found), None)
