"""Runs probes against a receiver: sends their requests, judges the answers, and asks what the app believes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from typing import Any, Final, Protocol

import msgspec

from giftsim.workbench.exam.receiver.probe import Answer, Outcome, Probe, Request, Result, RightAnswer, Secrets, Shot
from giftsim.workbench.exam.receiver.stock import Stock

SLOW_S: Final = 5.0  # half of what the service waits: a busy day makes a failure of it
NOT_IMPLEMENTED: Final = 501  # what servers answer to a method that they do not know

SKIPPED: Final[Mapping[str, str]] = {
    "next_secret": "needs the secret that replaces this one (next_secret), which the receiver accepts too",
    "old_secret": "needs a secret that was replaced (old_secret)",
    "broken": "needs a way to make the app fail (break and mend)",
    "clock": "needs an app in the process of the test, whose clock can be moved",
    "http": "a callable is not an HTTP endpoint",
}
# Other probes ask what the app believes.
ABOUT_ANSWERS: Final = (RightAnswer.NO_REDIRECT, RightAnswer.IN_TIME, RightAnswer.REPORT)
RANK: Final = (Outcome.PASS, Outcome.SKIPPED, Outcome.WARNING, Outcome.FAIL)


class Receiver(Protocol):
    """A webhook endpoint. `has` names what it can: `http`, and `clock` if its time can be moved."""

    @property
    def has(self) -> frozenset[str]:
        """The names of its abilities."""

    def send(self, request: Request) -> Answer:
        """Send a request."""

    def now_s(self) -> int:
        """The receiver's time in unix seconds."""

    def pass_time(self, span_s: int) -> None:
        """Move the receiver's clock."""


class Expected(msgspec.Struct, frozen=True):
    """What the app should believe after a probe: these events, each once and in this order, and none of the forged."""

    probe: str
    events: tuple[dict[str, Any], ...]
    forged: tuple[dict[str, Any], ...]


Check = Callable[[Expected], str | None]  # what is wrong, or None
Broken = Callable[[], AbstractContextManager[Any]]


class Runner:
    """Runs probes, in order. After a gate fails, nothing else can be judged, and the rest is skipped."""

    def __init__(
        self,
        receiver: Receiver,
        stock: Stock,
        secrets: Secrets,
        *,
        check: Check | None = None,
        broken: Broken | None = None,
    ) -> None:
        self._receiver, self._stock, self._secrets = receiver, stock, secrets
        self._check, self._broken = check, broken
        given = {"next_secret": secrets.next, "old_secret": secrets.old, "broken": broken}
        self._has = receiver.has | {name for name, value in given.items() if value is not None}

    def run(self, probes: Sequence[Probe]) -> Iterator[Result]:
        """The result of each probe, as it ends."""
        closed = ""
        for probe in probes:
            if closed:
                yield self._result(probe, Outcome.SKIPPED, f"not judged, because {closed} failed")
                continue
            result = self._probe(probe)
            if probe.is_gate and result.outcome is Outcome.FAIL:
                closed = probe.name
            yield result

    def _probe(self, probe: Probe) -> Result:
        if not self.can(probe):
            return self._result(probe, Outcome.SKIPPED, SKIPPED[probe.needs])
        shots = probe.shots(self._stock)
        requests, answers = self.send(shots, probe.at_once)
        outcome, reason = judge(probe, shots, answers)
        if self._check is not None and outcome is not Outcome.FAIL and probe.right not in ABOUT_ANSWERS:
            wrong = self._check(expected_of(probe, shots, answers))
            if wrong is not None:
                outcome, reason = Outcome.FAIL, f"{_in_words(answers)}, but the check says: {wrong}"
        elif probe.effect and outcome is Outcome.PASS:
            outcome, reason = Outcome.SKIPPED, f"{reason}; only a check can say what the app made of it"
        return self._result(probe, outcome, reason, requests)

    def can(self, probe: Probe) -> bool:
        """Whether there is what a probe needs."""
        return not probe.needs or probe.needs in self._has

    def send(self, shots: Sequence[Shot], at_once: int) -> tuple[tuple[Request, ...], tuple[Answer, ...]]:
        """Send the requests of a probe, so many at once; they and their answers."""
        if at_once == 1:
            sent = [self._shoot(shot) for shot in shots]
        else:
            with ThreadPoolExecutor(at_once) as threads:
                sent = list(threads.map(self._shoot, shots))
        return tuple(request for request, _ in sent), tuple(answer for _, answer in sent)

    def _shoot(self, shot: Shot) -> tuple[Request, Answer]:
        if shot.later_s:
            self._receiver.pass_time(shot.later_s)
        request = shot.request(self._secrets, self._receiver.now_s())
        with self._broken() if shot.broken and self._broken else nullcontext():
            return request, self._receiver.send(request)

    def _result(self, probe: Probe, outcome: Outcome, reason: str, requests: tuple[Request, ...] = ()) -> Result:
        source = probe.source(self._stock.interface)
        return Result(name=probe.name, outcome=outcome, reason=reason, source=source, requests=requests)


def judge(probe: Probe, shots: Sequence[Shot], answers: Sequence[Answer]) -> tuple[Outcome, str]:
    """The worst outcome of the answers, and the reason."""
    worst, reason = Outcome.PASS, _in_words(answers)
    for number, (shot, answer) in enumerate(zip(shots, answers, strict=True), 1):
        outcome = _outcome(shot.right, answer, probe.breach)
        if RANK.index(outcome) > RANK.index(worst):
            place = f" to request {number} of {len(shots)} ({shot.event.kind})" if len(shots) > 1 else ""
            worst, reason = outcome, f"answered {answer}{place}, where {shot.right} is right"
    return worst, reason


def _outcome(right: RightAnswer, answer: Answer, breach: Outcome) -> Outcome:
    """The verdict on an answer. A refusal with a 5xx is a warning: the receiver broke where it should refuse."""
    status = answer.status or 0
    accepts, refuses = answer.is_success, 400 <= status <= 499 or status == NOT_IMPLEMENTED
    match right:
        case RightAnswer.ACCEPT:
            return Outcome.PASS if accepts else breach
        case RightAnswer.REFUSE:
            return Outcome.PASS if refuses else breach if accepts else Outcome.WARNING
        case RightAnswer.EITHER:
            return Outcome.PASS if accepts or refuses else breach
        case RightAnswer.REPORT:
            return breach if accepts else Outcome.PASS
        case RightAnswer.NO_REDIRECT:
            return breach if 300 <= status <= 399 else Outcome.PASS
        case RightAnswer.IN_TIME:
            slow = Outcome.WARNING if answer.took_s > SLOW_S else Outcome.PASS
            return breach if answer.timed_out else slow
        case RightAnswer.ANY:
            return Outcome.PASS


def expected_of(probe: Probe, shots: Sequence[Shot], answers: Sequence[Answer]) -> Expected:
    """What the app should believe, from what it accepted."""
    accepted = {
        shot.event.id: shot
        for shot, answer in reversed(list(zip(shots, answers, strict=True)))
        if shot.counts and answer.is_success
    }
    events = sorted(accepted.values(), key=lambda shot: shot.event.n)
    forged = [shot for shot in shots if shot.right is RightAnswer.REFUSE and shot.event.id not in accepted]
    return Expected(
        probe.name,
        tuple(msgspec.json.decode(shot.content) for shot in events),
        tuple(_readable(shot) for shot in forged),
    )


def _readable(shot: Shot) -> dict[str, Any]:
    """The body of a forged request; the event's if it is not JSON."""
    try:
        content: dict[str, Any] = msgspec.json.decode(shot.content)
    except ValueError:
        return shot.event.content
    return content


def _in_words(answers: Sequence[Answer]) -> str:
    groups = [(text, len(list(group))) for text, group in groupby(map(str, answers))]
    return "answered " + ", then ".join(text if many == 1 else f"{text} {many} times" for text, many in groups)
