"""Which settings may turn a decision so that it fits a recording: the other readings, and values that it suggests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.documents import DECISION
from giftsim.engine.kernel.instants import format_duration, parse_duration
from giftsim.engine.kernel.setting import Setting
from giftsim.services.statements.entry import all_entries
from giftsim.workbench.assumptions.variants import load_variants
from giftsim.workbench.compare.finding import Finding

Settings = Mapping[str, Setting[Any]]
OF_GIFTSIM: Final = "giftsim"  # the basis of decisions about giftsim itself
DAY_MS: Final = 86_400_000
MOST_VALUES: Final = 8  # that a recording suggests for one setting
MOST_SHARES: Final = 5  # of a difference, for example one for each recipient
FLAG, ONE_OF = "true or false", "one of "
# Settings of every test, which no service has.
_OWN: Final = (
    "magic_values",
    "rate_limits.",
    "faults.",
    "webhooks.attempts_kept",
    "webhooks.forward_",
    "webhooks.signature_time",
)


# Settings that are looked up as they are, so that a world without any pays nothing: nobody sees them read.
_UNSEEN: Final = ("answers.", "strict_", "texts.", "calendar.", "webhooks.order", "webhooks.event_ids")


class Candidate(msgspec.Struct, frozen=True):
    """Other values of some settings that belong together."""

    settings: Mapping[str, Any]


def decisions_by_setting(settings: Settings) -> Mapping[str, str]:
    """The decision that each setting turns; settings of giftsim itself have none."""
    found: dict[str, str] = {}
    for each in load_variants().values():
        for name in each.settings:
            found.setdefault(name, each.decision)
    for entry in all_entries(settings):
        if entry.kind == DECISION and entry.basis != OF_GIFTSIM:
            for named in entry.settings:
                found.setdefault(named.name, entry.id)
    return {name: decision for name, decision in found.items() if name in settings and not name.startswith(_OWN)}


def other_readings(settings: Settings, read: frozenset[str], turned: Mapping[str, Any]) -> list[Candidate]:
    """The other readings of settings that were `read` and are not yet `turned`: the known ones, then plain choices."""
    known = [each.settings for each in load_variants().values()]
    choices = [{name: value} for name in decisions_by_setting(settings) for value in _choices(settings[name])]
    found: dict[str, Mapping[str, Any]] = {}
    for each in (*known, *choices):
        if _may_matter(each, read) and not turned.keys() & each.keys() and each.keys() <= settings.keys():
            found.setdefault(str(sorted(each.items(), key=str)), each)
    return [Candidate(each) for each in found.values()]


def suggested(
    settings: Settings,
    by_calls: frozenset[str],
    read: frozenset[str],
    turned: Mapping[str, Any],
    findings: Iterable[Finding],
) -> Iterator[Candidate]:
    """Values that would make up for the differences that are left.

    Numbers are those that the calls with differences read (`by_calls`), durations all that were `read`.
    """
    cents, numbers, spans = _distances(findings)
    for name in decisions_by_setting(settings):
        setting = settings[name]
        if name not in (by_calls if type(setting.default) is int else read) or name in turned:
            continue
        for value in _values(setting, cents, numbers, spans):
            try:
                is_other = setting.parse(value) != setting.parse(setting.default)
            except ValueError:
                continue
            if is_other:
                yield Candidate({name: value})


def _may_matter(names: Iterable[str], read: frozenset[str]) -> bool:
    return any(name in read or name.startswith(_UNSEEN) for name in names)


def _choices(setting: Setting[Any]) -> list[Any]:
    if setting.takes == FLAG:
        return [not setting.default]
    if setting.takes.startswith(ONE_OF):
        return [word for word in setting.takes.removeprefix(ONE_OF).split(", ") if word != setting.default]
    return []


def _values(setting: Setting[Any], cents: list[int], numbers: list[int], spans: list[int]) -> list[Any]:
    """The values of a setting that lie as far from its default as the recording does."""
    if type(setting.default) is int:
        if "days" in setting.name or "days" in setting.meaning:
            return [setting.default + span // DAY_MS for span in spans if span % DAY_MS == 0]
        is_money = "cents" in setting.name or "cents" in setting.meaning
        return [setting.default + far for far in (cents if is_money else numbers)]
    if isinstance(setting.default, str) and setting.takes.startswith("a duration"):
        default_ms = parse_duration(setting.default)
        return [format_duration(default_ms + span) for span in spans if default_ms + span >= 0]
    return []


def _distances(findings: Iterable[Finding]) -> tuple[list[int], list[int], list[int]]:
    """How far the recording lies from giftsim: in cents, in other whole numbers, and in milliseconds."""
    cents, numbers, spans = ByPath(), ByPath(), ByPath()
    for finding in findings:
        if finding.kind == "amount":
            far = _number(finding.service) - _number(finding.giftsim)
            if far and far == int(far):
                (cents if "cents" in finding.path else numbers).count(finding.path, int(far))
        elif finding.kind == "instant":
            spans.count(finding.path, _span(finding.service) - _span(finding.giftsim))
    return _shares(cents.usual), _shares(numbers.usual), spans.usual


class ByPath:
    """How often the members at each path lie how far apart."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[int]] = {}

    def count(self, path: str, far: int) -> None:
        """Count a distance."""
        self._counts.setdefault(path.rpartition(".")[2], Counter())[far] += 1

    @property
    def usual(self) -> list[int]:
        """The most usual distance of each member, then their second ones and so on."""
        ranked = [[far for far, _ in each.most_common(MOST_VALUES)] for each in self._counts.values()]
        turns = (each[turn] for turn in range(MOST_VALUES) for each in ranked if turn < len(each))
        return list(dict.fromkeys(turns))[:MOST_VALUES]


def _shares(usual: list[int]) -> list[int]:
    """The usual distances, and equal shares of them; the most usual first."""
    shares = [far // count for count in range(1, MOST_SHARES + 1) for far in usual if far % count == 0]
    return [far for far in dict.fromkeys(shares) if far][:MOST_VALUES]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _span(text: str) -> int:
    try:
        span = parse_duration(text[1:])
    except ValueError:
        return 0
    return -span if text.startswith("-") else span
