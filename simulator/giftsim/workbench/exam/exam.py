"""Holds an exam: draws the sittings from a seed, runs them within a budget, and keeps what each rule showed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Any, Final

import msgspec

from giftsim import Simulator
from giftsim.engine.client.control import Control
from giftsim.engine.control.access import Access
from giftsim.engine.worlds import system_clock
from giftsim.services.statements.entry import source_texts
from giftsim.workbench.app.calls import AppError, check_reachable
from giftsim.workbench.assumptions.variants import load_variants, settings_of
from giftsim.workbench.exam.examined_app import AppGone, ExaminedApp
from giftsim.workbench.exam.rule import NotOffered, Outcome, Probe, Rule, RuleBroken
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.trace.file import read_trace_file

ROUNDS: Final = 3
MAX_READINGS: Final = 3  # guesses that are read otherwise in one world
GUESSES: Final = "leans_on_no_guess"
LEAKS: Final = "keeps_claim_links"
TRACES: Final = "traces"
UNKNOWN: Final = "unknown"


class CannotBeHeld(Exception):
    """The exam cannot be held with this app; the message says why, and what to do."""


class RuleResult(msgspec.Struct):
    """What a rule showed. A failed one has the reason, the sentence that explains it, and the path of its trace."""

    rule: Rule
    outcome: Outcome = Outcome.SKIPPED
    reason: str | None = None
    why: str | None = None
    mend: str | None = None
    trace: str | None = None
    probes: int = 0

    @property
    def sources(self) -> dict[str, str]:
        """What the rule rests on, by id with the text of each."""
        return source_texts(self.rule.sources)


def seed_hash(seed: int) -> str:
    """The hash by which a seed is named before the exam; the seed is told after it."""
    return sha256(f"giftsim exam {seed}".encode()).hexdigest()


class Exam:
    """One exam of an app. `results` has one result for each rule, in the order of the rules."""

    def __init__(
        self,
        app: ExaminedApp,
        rules: Sequence[Rule],
        *,
        seed: int,
        budget_s: float = 60.0,
        rounds: int = ROUNDS,
        folder: Path | None = None,
    ) -> None:
        self.app, self.seed, self.rounds, self.folder = app, seed, rounds, folder
        self.results: Mapping[str, RuleResult] = {rule.id: RuleResult(rule) for rule in rules}
        self._until = system_clock.monotonic() + budget_s
        self._simulator = Simulator(fixture="bare", access=Access(token=system_clock.fresh_id(), closed=True))
        self._simulator.serve_locally()
        self._control = Control(self._simulator.client)

    def close(self) -> None:
        """End the simulator."""
        self._simulator.close()

    @property
    def passed(self) -> bool:
        """Whether no rule failed, none was skipped, and the app showed something."""
        outcomes = [each.outcome for each in self.results.values()]
        return Outcome.PASSED in outcomes and not {Outcome.FAILED, Outcome.SKIPPED}.intersection(outcomes)

    def hold(self) -> Iterator[RuleResult]:
        """Hold the exam; the result of a rule as it changes. CannotBeHeld."""
        self._admit()
        for number in range(self.rounds):
            rules = [each.rule for each in self.results.values()]
            Random(f"{self.seed}/order/{number}").shuffle(rules)
            for rule in rules:
                if system_clock.monotonic() >= self._until:
                    return
                result = self.results[rule.id]
                if result.outcome in (Outcome.SKIPPED, Outcome.PASSED):
                    yield self._sit(rule, number)

    def _admit(self) -> None:
        """Ask the app what it offers, in a world that shows nothing. CannotBeHeld."""
        try:
            check_reachable(self.app.protocol.app)
            with self._sitting(Random(f"{self.seed}/admission"), {}) as sitting:
                sitting.begin()
                try:
                    self.app.protocol = self.app.protocol.telling(sitting.answer_to_start)
                except ValueError as error:
                    raise CannotBeHeld(f"POST {self.app.protocol.start}: {error}") from None
                self._try_out(sitting)
        except AppError as error:
            raise CannotBeHeld(str(error)) from None
        except NotOffered as error:
            raise CannotBeHeld(f"{error}; an exam needs orders and webhooks") from None
        except RuleBroken as error:
            raise CannotBeHeld(str(error)) from None

    def _try_out(self, sitting: Sitting) -> None:
        """One order, without trouble: the app makes it, is told of it, and tells it. CannotBeHeld, RuleBroken."""
        if "order" not in self.app.actions:
            raise NotOffered("the app does not list the action order")
        order = sitting.order(1, address=True)
        if not sitting.books.orders_with(order.emails):
            raise CannotBeHeld("the app was asked for an order, and the service has none; an exam needs orders")
        sitting.advance("10d")
        told = sitting.books.told(order.emails[0], sitting.host)
        if told and not any(each.accepted for each in told):
            raise CannotBeHeld(
                f"the app accepted none of its webhooks at {self.app.protocol.webhooks}; an exam needs webhooks"
            )
        if self.app.check().orders is None:
            raise CannotBeHeld(f"GET {self.app.protocol.check} tells no `orders`; see docs/reference/app-protocol.md")

    def _sitting(self, random: Random, readings: Mapping[str, Any]) -> _Held:
        return _Held(Sitting(self._control, self._simulator.registry.runtime.origin, self.app, random, readings))

    def _sit(self, rule: Rule, number: int) -> RuleResult:
        """Run a probe of a rule; where guesses were read otherwise and it fails, once more with the usual readings."""
        result, probe = self.results[rule.id], rule.probes[(number + self.seed) % len(rule.probes)]
        missing = [action for action in rule.needs if action not in self.app.actions]
        if missing:
            result.outcome, result.reason = Outcome.NOT_OFFERED, f"the app does not offer {', '.join(missing)}"
            return result
        luck = f"{self.seed}/{rule.id}/{number}"
        guesses = self._readings(luck)
        result.probes += 1
        failed = self._probe(rule, probe, luck, settings_of(guesses))
        if failed is None:
            if result.outcome is Outcome.SKIPPED:
                result.outcome = Outcome.PASSED
            return result
        if guesses and failed.outcome is Outcome.FAILED:
            again = self._probe(rule, probe, luck, {})
            if again is None:
                return self._leaned(result, failed, guesses)
            failed = again
        result.outcome, result.reason, result.why = failed.outcome, failed.reason, failed.why
        result.mend, result.trace = failed.mend, failed.trace
        return result

    def _leaned(self, passed: RuleResult, failed: RuleResult, guesses: Sequence[str]) -> RuleResult:
        """The rule about guesses failed, since this one passes with the usual readings."""
        passed.outcome = Outcome.PASSED
        result = self.results.get(GUESSES)
        if result is None:
            return passed
        variants = [load_variants()[name] for name in guesses]
        read = " ".join(f"{each.other} ({each.decision})" for each in variants)
        result.outcome = Outcome.FAILED
        result.reason = f"{failed.reason}, where the service reads a guess otherwise: {read}"
        result.why, result.mend = result.reason, " ".join(each.safe for each in variants)
        result.trace = failed.trace
        return result

    def _readings(self, luck: str) -> list[str]:
        """The guesses that a sitting reads otherwise: none in every other one."""
        random, names = Random(f"{luck}/readings"), sorted(load_variants())
        return sorted(random.sample(names, random.choice((0, 0, 1, 2, MAX_READINGS))))

    def _probe(self, rule: Rule, probe: Probe, luck: str, readings: Mapping[str, Any]) -> RuleResult | None:
        """Run one probe; None if the app obeyed."""
        with self._sitting(Random(luck), readings) as sitting:
            try:
                probe(sitting)
            except NotOffered as error:
                return RuleResult(rule, Outcome.NOT_OFFERED, str(error))
            except AppGone as error:
                return RuleResult(rule, Outcome.FAILED, str(error), str(error))
            except RuleBroken as error:
                return self._broken(rule, sitting, error)
        return None

    def _broken(self, rule: Rule, sitting: Sitting, error: RuleBroken) -> RuleResult:
        result = RuleResult(rule, Outcome.FAILED, str(error), str(error))
        if not hasattr(sitting, "world"):
            return result
        failure = {"message": str(error), "text": str(error), "values": list(error.about)}
        page = sitting.world.trace({"test": {"id": rule.id, "outcome": "failed", "seconds": 0, "failure": failure}})
        verdicts = [each for each in read_trace_file(page).get("verdicts", ()) if each["kind"] != UNKNOWN]
        if verdicts:
            result.why, result.mend = verdicts[0]["sentence"], verdicts[0]["why_not"]
        if self.folder is not None:
            result.trace = f"{TRACES}/{rule.id}.html"
            (self.folder / TRACES).mkdir(parents=True, exist_ok=True)
            (self.folder / result.trace).write_bytes(page)
        return result


class _Held(closing[Any]):
    """A sitting whose world is deleted at its end."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._sitting = sitting

    def __enter__(self) -> Sitting:
        return self._sitting

    def __exit__(self, *_: object) -> None:
        if hasattr(self._sitting, "world"):
            with suppress(Exception):
                self._sitting.world.call("DELETE")
