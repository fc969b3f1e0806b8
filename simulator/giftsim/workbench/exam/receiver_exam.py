"""The exam of a webhook receiver alone: the rules that its answers show, without an app that orders."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Final

import msgspec

from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.app_calls import run_command
from giftsim.workbench.exam.exam import CannotBeHeld, RuleResult
from giftsim.workbench.exam.exam_rule import Outcome, Rule
from giftsim.workbench.exam.explanation import sentence
from giftsim.workbench.exam.receiver.http_receiver import HttpReceiver, Unreachable
from giftsim.workbench.exam.receiver.probe import Outcome as Shown
from giftsim.workbench.exam.receiver.probe import Probe, Result, Secrets
from giftsim.workbench.exam.receiver.probe_runner import Broken, Check, Runner
from giftsim.workbench.exam.receiver.probes import BY_NAME, RULE_OF
from giftsim.workbench.exam.receiver.stock import Interface, stock_of_world
from giftsim.workbench.exam.rules import all_rules

APP: Final = "GIFTSIM_APP"
SEEDS: Final = 2**29
RULES: Final = {rule.id: rule for rule in all_rules() if rule.id in RULE_OF.values()}


class ReceiverExam:
    """The exam of the receiver at a URL on this machine. `results` has one result for each rule that can be shown.

    `check` is a command that reads what the app should believe after each probe, and `break_command` and
    `mend_command` are commands between which the app cannot do its work. `only` are ids and groups of rules, and names
    of probes. ValueError for an address or a name that cannot be.
    """

    def __init__(
        self,
        url: str,
        secret: str,
        *,
        seed: int,
        next_secret: str | None = None,
        old_secret: str | None = None,
        interface: Interface = "partner",
        check: str | None = None,
        break_command: str | None = None,
        mend_command: str | None = None,
        only: Sequence[str] = (),
        timeout_s: float = 10.0,
        forward_allow: tuple[str, ...] = (),
    ) -> None:
        self.seed, self._url, self._interface = seed, url, interface
        self._secrets = Secrets(secret, next_secret, old_secret)
        self._check, self._commands = check, (break_command, mend_command)
        self._probes = _chosen(only)
        chosen = dict.fromkeys(RULE_OF[probe.name] for probe in self._probes)
        self.results: Mapping[str, RuleResult] = {name: RuleResult(self._rule(name)) for name in chosen}
        self._receiver = HttpReceiver(url, timeout_s=timeout_s, forward_allow=forward_allow)

    def close(self) -> None:
        """Close the connections."""
        self._receiver.close()

    @property
    def passed(self) -> bool:
        """Whether no rule failed, none was skipped, and the receiver showed something."""
        outcomes = [each.outcome for each in self.results.values()]
        return Outcome.PASSED in outcomes and not {Outcome.FAILED, Outcome.SKIPPED}.intersection(outcomes)

    def hold(self) -> Generator[RuleResult]:
        """Hold the exam; the result of each rule as it ends. CannotBeHeld."""
        stock = stock_of_world(self._interface, seed=1 + self.seed % SEEDS, ends_ms=system_clock.now_ms())
        runner = Runner(self._receiver, stock, self._secrets, check=self._as_check(), broken=self._broken())
        try:
            for name, shown in groupby(runner.run(self._probes), key=lambda result: RULE_OF[result.name]):
                yield _judge(self.results[name], list(shown))
        except Unreachable as error:
            raise CannotBeHeld(str(error)) from None

    def _rule(self, name: str) -> Rule:
        """The rule, with what it rests on in the interface."""
        if self._interface == "partner":
            return RULES[name]
        probes = [probe for probe in self._probes if RULE_OF[probe.name] == name]
        sources = dict.fromkeys(each for probe in probes for each in probe.sources[1])
        return msgspec.structs.replace(RULES[name], sources=tuple(sources))

    def _as_check(self) -> Check | None:
        """The check that a command makes; what it reads is JSON."""
        command = self._check
        if command is None:
            return None
        return lambda expected: run_command(command, {APP: self._url}, msgspec.json.encode(expected).decode())

    def _broken(self) -> Broken | None:
        """A context that one command begins and another ends."""
        begin, end = self._commands
        if begin is None or end is None:
            return None

        @contextmanager
        def broken() -> Iterator[None]:
            self._run("--break", begin)
            try:
                yield
            finally:
                self._run("--mend", end)

        return broken

    def _run(self, name: str, command: str) -> None:
        wrong = run_command(command, {APP: self._url})
        if wrong is not None:
            raise CannotBeHeld(f"{name} {command}: {wrong}")


def _chosen(names: Sequence[str]) -> Sequence[Probe]:
    """The probes with these names, or of rules with these ids or in these groups; all if there are no names."""
    groups = {group for rule in RULES.values() for group in rule.groups}
    known = [*sorted(groups), *RULES, *BY_NAME]
    for name in names:
        if name not in known:
            raise ValueError(f"there is no rule or probe {name[:60]!r}; {suggest_name(name, known)}")
    return [probe for probe in BY_NAME.values() if not names or not _names_of(probe).isdisjoint(names)]


def _names_of(probe: Probe) -> set[str]:
    """By which names a probe is chosen: its own, its rule's, and those of the rule's groups."""
    rule = RULES[RULE_OF[probe.name]]
    return {probe.name, rule.id, *rule.groups}


def _judge(result: RuleResult, shown: Sequence[Result]) -> RuleResult:
    """Put what a rule's probes showed into its result."""
    failed = [each for each in shown if each.outcome is Shown.FAIL]
    judged = [each for each in shown if each.outcome is not Shown.SKIPPED]
    result.probes = len(judged)
    if failed:
        probe = BY_NAME[failed[0].name]
        others = f"; failed too: {', '.join(each.name for each in failed[1:])}" if failed[1:] else ""
        result.outcome, result.reason = Outcome.FAILED, f"{failed[0].reason} (sent: {probe.sends}){others}"
        result.why = f"{sentence(result.reason)} {probe.why}"
    elif judged:
        result.outcome = Outcome.PASSED
        doubts = [f"{each.name} was {each.reason}" for each in judged if each.outcome is Shown.WARNING]
        result.reason = "; ".join(doubts) or None
    else:
        closed = shown[0].reason.startswith("not judged")
        result.outcome = Outcome.SKIPPED if closed else Outcome.NOT_OFFERED
        result.reason = shown[0].reason
    return result
