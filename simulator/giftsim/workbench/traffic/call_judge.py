"""Judges the answers of a recording by those of a world: what compare finds, and amounts and instants besides (G480).

A world's clock follows the recording, so instants agree up to what a call takes; the masks of compare hide them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.secret_kinds import REDACTED
from giftsim.engine.kernel.instants import HOUR, MINUTE, format_duration, parse_date, parse_instant
from giftsim.workbench.compare.answer_diff import Identities, compare_answers
from giftsim.workbench.compare.called_operation import CalledOperation
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.compare.mask import FIRST_ERROR, OF, Answer, Masker, is_bound, look_of
from giftsim.workbench.compare.shape import body_shape
from giftsim.workbench.scenario.steps.call_steps import Request
from giftsim.workbench.traffic.bindings import Bindings, Leaf, leaves
from giftsim.workbench.traffic.recorded_traffic import RecordedCall

SLACK_MS: Final = 90_000  # how far two instants may lie apart: clocks differ, and a call takes its time
_DAY_MS: Final = 86_400_000
_EPOCH_DAY: Final = 719_163
# What a seed draws; whether there is one counts, and not which.
DRAWN: Final = frozenset({"carrier", "tracking_number", "tracking_url"})
# Amounts that go on from before the recording: only their changes count.
_GOES_ON: Final = ("balance", "available", "outstanding", "reserved", "credit_limit")
_WORD: Final = re.compile(r"[a-z]+(?:_[a-z]+)*")
_INDEX: Final = re.compile(r"\[\d+\]")
_OF_PAGE: Final = ("total",)  # counts records from before the recording too


Answers = tuple[Response, Response]  # ours and the recorded one
Shift = tuple[str, str]  # who has an amount that goes on, and its name
Touched = str | Shift  # a text of the recording, an id or its number, a shift


class RecordedMasks(NamedTuple):
    """The masked answers of a recording, the ids that each shows, and the masker that made them.

    They are the same in each replay. `numbers` are those that all replays give to the ids of their worlds.
    """

    masker: Masker
    answers: Sequence[Answer]
    shown: Sequence[frozenset[str]]
    numbers: dict[str, dict[str, int]]


def recorded_masks(calls: Sequence[RecordedCall]) -> RecordedMasks:
    """Mask the answers of a recording."""
    masker, answers, shown = Masker(), [], []
    for call in calls:
        exchange, called = call.exchange, call.called
        assert exchange.response is not None
        masker.note(Request(called.method, called.below, body_json(exchange.body), {}), called)
        masker.shown.clear()
        answers.append(masker.mask(called, exchange.response if exchange.has_body else without_body(exchange.response)))
        shown.append(frozenset(masker.shown))
    return RecordedMasks(masker, answers, shown, {})


class Learned(NamedTuple):
    """What a judge learnt by one call: what stands for what, texts that were sent, and amounts that go on."""

    bindings: Sequence[tuple[str, str, Any]] = ()
    pairs: Sequence[tuple[str, str, str]] = ()
    sent: Sequence[str] = ()
    shifts: Sequence[tuple[Shift, int]] = ()

    def apart(self, other: Learned) -> set[Touched]:
        """What two judges know differently once they have learnt this and that."""
        bindings = {text for _, text, _ in {*self.bindings} ^ {*other.bindings}}
        pairs = {each.partition(OF)[0] for pair in {*self.pairs} ^ {*other.pairs} for each in pair[:2]}
        return {*bindings, *pairs, *(key for key, _ in {*self.shifts} ^ {*other.shifts})}


class Judged(NamedTuple):
    """The differences of an answer, what they taught the judge, and what it looked at among all that it knows."""

    findings: list[Finding]
    learned: Learned
    touched: frozenset[Touched]


class Judge:
    """Judges one call after the other of a replay; what stands for what is learnt on the way."""

    def __init__(self, recorded: RecordedMasks) -> None:
        self.bindings, self.identities = Bindings(), Identities()
        self.masks, self.ours = recorded, Masker(recorded.numbers)
        self._shifts: dict[Shift, int] = {}
        self._shifted: set[Shift] = set()

    def learn(self, learned: Learned) -> None:
        """Learn what another judge has learnt that knew the same."""
        for place, text, ours in learned.bindings:
            self.bindings.add(place, text, ours)
        for pair in learned.pairs:
            self.identities.learn(*pair)
        self.ours.learn(learned.sent)
        self._shifts.update(learned.shifts)

    def judge(
        self, number: int, called: CalledOperation, answers: Answers, sent: bytes, at_ms: int, who: str
    ) -> Judged:
        """Judge our answer to what we `sent` by the recorded one; `number` is the call's, from 0."""
        bindings, pairs, ours = self.bindings, self.identities, self.ours
        sizes = (len(bindings.learned), len(pairs.learned), len(ours.sent), len(self._shifts))
        self.forget_touched()
        findings = self._findings(number, called, answers, sent, at_ms, who)
        learned = Learned(
            tuple(bindings.learned[sizes[0] :]),
            tuple(pairs.learned[sizes[1] :]),
            tuple(ours.sent[sizes[2] :]),
            tuple(islice(self._shifts.items(), sizes[3], None)),
        )
        return Judged(findings, learned, self.touched)

    @property
    def touched(self) -> frozenset[Touched]:
        """What the judge looked at, among all that it knows, since that was last forgotten."""
        return frozenset((*self.bindings.asked, *self.ours.shown, *self.masks.masker.shown, *self._shifted))

    def forget_touched(self) -> None:
        """Forget what the judge looked at."""
        for each in (self.bindings.asked, self.ours.shown, self.masks.masker.shown, self._shifted):
            each.clear()

    def _findings(
        self, number: int, called: CalledOperation, answers: Answers, sent: bytes, at_ms: int, who: str
    ) -> list[Finding]:
        self.ours.note(Request(called.method, called.below, body_json(sent), {}), called)
        mask = self.ours.mask(called, answers[0])
        found = [*compare_answers(called, mask, self.masks.answers[number], self.identities)]
        hidden: set[str] = set()
        found += self._values(called, answers, at_ms, who, hidden)
        return [each for each in found if not _is_drawn(each) and _INDEX.sub("[*]", each.path) not in hidden]

    def _values(
        self, called: CalledOperation, answers: Answers, at_ms: int, who: str, hidden: set[str]
    ) -> Iterator[Finding]:
        """Differences of values; `hidden` gets the paths of texts that were taken out of the file."""
        ours, recorded = (json_of(each) for each in answers)
        if answers[0].status // 100 != answers[1].status // 100 or ours is None or recorded is None:
            return
        shape = body_shape(called, answers[0].status)
        for leaf in leaves(recorded, ours, shape, called, self.bindings):
            if isinstance(leaf.recorded, str) and REDACTED in leaf.recorded:
                hidden.add(leaf.path)
                continue
            self.bindings.learn(leaf, called.collection)
            if answers[0].status < FIRST_ERROR and not (called.is_list and leaf.name in _OF_PAGE):
                yield from self.value(leaf, at_ms, who)

    def value(self, leaf: Leaf, at_ms: int, who: str) -> Iterator[Finding]:
        """The difference of two amounts, instants or dates, if these stand at a place."""
        recorded, ours = leaf.recorded, leaf.ours
        if type(recorded) in (int, float) and type(ours) in (int, float):
            if not is_bound(recorded, leaf.shape, leaf.name):
                yield from self._amount(leaf, who)
        elif isinstance(recorded, str) and isinstance(ours, str) and recorded != ours:
            yield from _instant(leaf, at_ms)
            yield from _word(leaf)

    def _amount(self, leaf: Leaf, who: str) -> Iterator[Finding]:
        shift = 0
        if any(word in leaf.name for word in _GOES_ON):
            self._shifted.add((who, leaf.name))
            shift = self._shifts.setdefault((who, leaf.name), leaf.recorded - leaf.ours)
        if leaf.recorded - leaf.ours != shift:
            yield Finding.at("amount", leaf.path, str(leaf.ours + shift), str(leaf.recorded), leaf.shape)


def _instant(leaf: Leaf, at_ms: int) -> Iterator[Finding]:
    looks = {look_of(leaf.recorded), look_of(leaf.ours)}
    if not all(look.startswith(("instant", "date")) for look in looks):
        return
    recorded, ours = (_ms(text) for text in (leaf.recorded, leaf.ours))
    if recorded is None or ours is None:
        return
    if abs(recorded - ours) > (0 if looks == {"date"} else SLACK_MS):
        yield Finding.at("instant", leaf.path, _since(ours, at_ms), _since(recorded, at_ms), leaf.shape)


def _word(leaf: Leaf) -> Iterator[Finding]:
    """The difference of two words that the service chose itself, such as a status that the contract does not list."""
    if leaf.name in DRAWN or leaf.shape.listed_values or is_bound(leaf.recorded, leaf.shape, leaf.name):
        return
    if _WORD.fullmatch(leaf.recorded) and _WORD.fullmatch(leaf.ours):
        yield Finding.at("value", leaf.path, f'"{leaf.ours}"', f'"{leaf.recorded}"', leaf.shape)


def _ms(text: str) -> int | None:
    try:
        if look_of(text) == "date":
            return (parse_date(text).toordinal() - _EPOCH_DAY) * _DAY_MS
        return parse_instant(text if text[-1] == "Z" or "+" in text else f"{text}Z")
    except ValueError:
        return None


def _since(moment_ms: int, at_ms: int) -> str:
    """An instant as it lies from the call, in whole minutes, or in whole hours if it is a day or more."""
    unit = HOUR if abs(moment_ms - at_ms) >= _DAY_MS else MINUTE
    span = round((moment_ms - at_ms) / unit) * unit
    return f"{'-' if span < 0 else '+'}{format_duration(abs(span))}"


def _is_drawn(finding: Finding) -> bool:
    return finding.path.rpartition(".")[2] in DRAWN and finding.kind in ("value", "format", "echo")


def json_of(response: Response) -> Any:
    """The JSON of a response; None if it has none."""
    if not response.body or "json" not in response.headers.get("content-type", ""):
        return None
    try:
        return response.json()
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def body_json(content: bytes) -> Any:
    """A body as JSON; None if it is none."""
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        return None


def without_body(answer: Response) -> Response:
    """An answer as it is compared with a recorded one whose body the file lacks."""
    return msgspec.structs.replace(answer, body=b"")
