"""The report on recorded traffic: for people, for programs, and what it shows of each decision (G482)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.texts import count_with_noun, one_line
from giftsim.services.statements.decision import load_decisions
from giftsim.workbench.compare.called_operation import Contracts
from giftsim.workbench.compare.comparison_report import MOST_SOURCES, touched
from giftsim.workbench.compare.finding import KINDS, Finding
from giftsim.workbench.compare.shape import body_shape, code_sources, sources_of
from giftsim.workbench.traffic.call_judge import json_of
from giftsim.workbench.traffic.candidates import Settings, decisions_by_setting
from giftsim.workbench.traffic.differences import Key, key_of
from giftsim.workbench.traffic.explanation_search import Explained, Explanation
from giftsim.workbench.traffic.recorded_traffic import Traffic
from giftsim.workbench.traffic.replay_outcome import JudgedCall
from giftsim.workbench.traffic.untold_acts import CLAIMED, shown_claims

SAME, DIFFERENT, NOT_REACHED = "same", "different", "not_reached"
Name = tuple[str, str]  # an interface, and its operation or its kind of event


class Left(msgspec.Struct):
    """A difference that no setting explains, and the entries of the file at which it was seen."""

    finding: Finding
    entries: list[int]


class TrafficReport:
    """What a recording shows of each operation and each kind of event of the interfaces that it calls."""

    def __init__(
        self, explanation: Explanation, traffic: Traffic, contracts: Contracts, settings: Settings, name: str
    ) -> None:
        self._explanation, self._traffic, self._name = explanation, traffic, name
        self._settings, self._contracts = settings, contracts
        outcome = explanation.outcome
        self._calls: dict[Name, dict[Key, Left]] = {}
        self._judged: Counter[Name] = Counter()
        self._left_out: Counter[str] = Counter(traffic.left_out)
        for judged in outcome.calls:
            called = judged.call.called
            if judged.left_out is not None:
                self._left_out[judged.left_out] += 1
                continue
            self._judged[called.interface, called.name] += 1
            _add(
                self._calls.setdefault((called.interface, called.name), {}),
                judged.findings,
                judged.call.exchange.number,
            )
        self._events: dict[Name, dict[Key, Left]] = {}
        for event in outcome.events:
            entry = event.first.exchange.number if event.first else 0
            _add(self._events.setdefault((event.interface, event.kind), {}), event.findings, entry)

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not self._explanation.explained and not any((*self._calls.values(), *self._events.values()))

    @property
    def data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "operations": [
                self._row(
                    "operation", name, name in self._judged, self._calls, [each.calls for each in self._explained]
                )
                for name in self._operations()
            ],
            "webhooks": [
                self._row("event", name, name in self._events, self._events, [each.events for each in self._explained])
                for name in self._kinds()
            ],
            **({"search_ended": self._search_ended} if self._search_ended else {}),
        }

    @property
    def text(self) -> str:
        """The report for a terminal."""
        return "".join(f"{one_line(line)}\n" for line in self._lines())

    @property
    def _search_ended(self) -> str:
        """A sentence if the search was too much work; "" if it was not."""
        calls = self._explanation.calls
        ended = f"the search for settings ended early, after {calls:,} calls: other settings may explain more"
        return f"{ended}; compare a shorter part of the file" if self._explanation.is_cut else ""

    @property
    def _explained(self) -> list[Explained]:
        return self._explanation.explained

    def _operations(self) -> list[Name]:
        interfaces = dict.fromkeys(interface for interface, _ in self._judged)
        known = [(name, each) for name in interfaces for each in self._contracts[name].operations]
        return [*known, *(name for name in self._judged if name not in known)]

    def _kinds(self) -> list[Name]:
        interfaces = dict.fromkeys(interface for interface, _ in (*self._judged, *self._events))
        known = [(name, each) for name in interfaces for each in self._contracts[name].published.get("webhooks", {})]
        return [*known, *(name for name in self._events if name not in known)]

    def _row(
        self,
        what: str,
        name: Name,
        was_reached: bool,
        left: Mapping[Name, Mapping[Key, Left]],
        by_setting: Sequence[Mapping[Name, list[Finding]]],
    ) -> dict[str, Any]:
        """One operation or kind of event. What a setting explains has that setting; all else says what differs."""
        found: list[dict[str, Any]] = [
            {"decision": each.decision, "setting": each.setting, "value": each.value}
            for each, names in zip(self._explained, by_setting, strict=True)
            if name in names
        ]
        found += [_unexplained(each) for each in left.get(name, {}).values()]
        outcome = DIFFERENT if found else SAME if was_reached else NOT_REACHED
        return {"interface": name[0], what: name[1], "outcome": outcome, "differences": found}

    def _lines(self) -> Iterator[str]:
        for name in self._operations():
            yield from self._group(name, self._calls, [each.calls for each in self._explained], f"({name[0]})")
        if claims := len(shown_claims(self._traffic, 0)):
            told = f"no webhook tells of {count_with_noun(claims, 'claim')}: people claim when later events and answers"
            yield f"{told} show it; subscribe {CLAIMED} to have it compared"
            yield ""
        for name in self._kinds():
            yield from self._group(
                name, self._events, [each.events for each in self._explained], f"(webhook, {name[0]})"
            )
        if self._left_out or self._explanation.outcome.unplayed:
            yield "left out:"
            yield from (f"  {count} times: {reason}" for reason, count in self._left_out.items())
            yield from (f"  {each}" for each in self._explanation.outcome.unplayed)
            yield ""
        if self._explained:
            options = (f"--setting {each.setting}={_written(each.value)}" for each in self._explained)
            yield f"giftsim fits better with {' '.join(options)}"
        if self._search_ended:
            yield self._search_ended
        yield self._last_line()

    def _group(
        self,
        name: Name,
        left: Mapping[Name, Mapping[Key, Left]],
        by_setting: Sequence[Mapping[Name, list[Finding]]],
        where: str,
    ) -> Iterator[str]:
        """The lines of one operation or kind of event; none if it is the same."""
        explained = [
            (each, names[name]) for each, names in zip(self._explained, by_setting, strict=True) if name in names
        ]
        if not explained and not left.get(name):
            return
        yield f"{name[1]}  {where}"
        for each, findings in explained:
            default = _written(self._settings[each.setting].default)
            basis = f"{each.decision} {load_decisions()[each.decision].basis}: " if each.decision else ""
            yield f"  {basis}{each.setting} is {_written(each.value)}, not {default}"
            yield f"    {_shown(findings[0])}"
        for unexplained in left.get(name, {}).values():
            finding, first = unexplained.finding, unexplained.entries[0]
            sources = ", ".join(f"{source.id} {source.basis}" for source in touched(finding.sources[:MOST_SOURCES]))
            yield f"  {_shown(finding)}" + (f"  [{sources}]" if sources else "")
            more = len(unexplained.entries) - 1
            if first:
                yield f"    entry {first}" + (f", and {more} more" if more else "")
        yield ""

    def _last_line(self) -> str:
        left = sum(len(each) for each in (*self._calls.values(), *self._events.values()))
        settings = count_with_noun(len(self._explained), "setting")
        words = [f"{settings} explain{'s' if len(self._explained) == 1 else ''} differences"] if self._explained else []
        words += [f"{count_with_noun(left, 'difference')} that no setting explains"] if left else []
        missing = sum(1 for each in self.data["operations"] if each["outcome"] == NOT_REACHED)
        return (
            f"{' and '.join(words) or 'no differences'}: {count_with_noun(sum(self._judged.values()), 'call')} and "
            f"{count_with_noun(len(self._traffic.webhooks), 'webhook')} of {self._name}; "
            f"{count_with_noun(missing, 'operation')} not reached"
        )

    def evidence(self) -> Iterator[tuple[str, bool, Mapping[str, Any]]]:
        """What each exchange shows of decisions: the id, whether it fits, and the settings with which it would."""
        turned: dict[str, dict[str, Any]] = {}
        against: dict[str, set[Name]] = {}
        for each in self._explained:
            if each.decision:
                turned.setdefault(each.decision, {})[each.setting] = each.value
                against.setdefault(each.decision, set()).update((*each.calls, *each.events))
        by_setting = decisions_by_setting(self._settings)
        for judged in self._explanation.outcome.calls:
            if judged.left_out is None:
                yield from self._shown_by(judged, by_setting, against, turned)
        for event in self._explanation.outcome.events:
            different = {source for finding in event.findings for source in finding.sources[:1]}
            for source in event.sources:
                opposed = source in different or (event.interface, event.kind) in against.get(source, ())
                yield source, not opposed, turned.get(source, {}) if opposed else {}

    def _shown_by(
        self,
        judged: JudgedCall,
        by_setting: Mapping[str, str],
        against: Mapping[str, set[Name]],
        turned: Mapping[str, Mapping[str, Any]],
    ) -> Iterator[tuple[str, bool, Mapping[str, Any]]]:
        called = judged.call.called
        different = {source for finding in judged.findings for source in finding.sources[:1]}
        ids = [
            *_sources(judged),
            *(by_setting[name] for name in sorted(judged.read) if name in by_setting),
            *sorted(different),
        ]
        ids += [each for each, names in against.items() if (called.interface, called.name) in names]
        for source in dict.fromkeys(ids):
            opposed = source in different or (called.interface, called.name) in against.get(source, ())
            yield source, not opposed, turned.get(source, {}) if opposed else {}


def _sources(judged: JudgedCall) -> list[str]:
    """The ids on which a recorded answer rests: those of its operation, its status, its code and its members."""
    call, recorded = judged.call, judged.call.exchange.response
    if call.called.operation is None or recorded is None:
        return []
    ids = [*sources_of(call.called.operation.node), *sources_of(call.called.response(recorded.status)[1])]
    data = json_of(recorded)
    shape = body_shape(call.called, recorded.status)
    if isinstance(data, dict):
        ids += [source for name in data for source in shape.member(name).sources]
        error = data.get("error")
        if isinstance(error, dict):
            ids += code_sources(call.called, str(error.get("code")))
    return ids


def _add(found: dict[Key, Left], findings: Iterable[Finding], entry: int) -> None:
    for finding in findings:
        entries = found.setdefault(key_of(finding), Left(finding, [])).entries
        if entry not in entries:
            entries.append(entry)


def _unexplained(left: Left) -> dict[str, Any]:
    finding = left.finding
    decision = next((each for each in finding.sources if each in load_decisions()), None)
    own = {"kind": finding.kind, "path": finding.path, "giftsim": finding.giftsim, "service": finding.service}
    return {"decision": decision, "setting": None, "value": None, **own, "entries": left.entries}


def _shown(finding: Finding) -> str:
    name = KINDS[finding.kind]
    place = name if name == finding.path else f"{finding.path}, {name}"
    return f"{place}: giftsim {finding.giftsim}, the service {finding.service}"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
