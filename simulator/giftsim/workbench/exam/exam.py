"""Holds an exam: draws the sittings from a seed, runs them within a budget, and keeps what each rule showed."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
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
from giftsim.workbench.app.app_calls import AppError, check_reachable
from giftsim.workbench.app.process import AppNotStarted
from giftsim.workbench.assumptions.variants import load_variants, settings_of
from giftsim.workbench.exam.asked import TITLE
from giftsim.workbench.exam.breach import NotOffered, RuleBroken
from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.exam_rule import Outcome, Probe, Rule
from giftsim.workbench.exam.examined_app import AppGone, ExaminedApp
from giftsim.workbench.exam.explanation import explain, of_exam, sentence
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.trace.file import pack_page, read_trace_file

ROUNDS: Final = 3
# How the service writes in the first sitting: what an app makes of the rest is a matter of rules.
PLAIN: Final = {"webhooks.spelling": "plain", "answers.unknown_members": False}
READINGS: Final = (0, 0, 1, 2, 3)  # how many guesses are read otherwise in one world
MANY_READINGS: Final = 20  # the same where the rule is about them
GUESSES: Final = "leans_on_no_guess"
LEAKS: Final = "keeps_claim_links"
TRACES: Final = "traces"
COMES_BACK_S: Final = 5.0  # in which an app that was gone can be there again
POLL_S: Final = 0.1


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


def _plain(order: Order) -> Order:
    """The order with names in ASCII."""
    people = tuple(msgspec.structs.replace(each, name="Bo Lee") for each in order.people)
    return msgspec.structs.replace(order, reference="order-1", people=people, sender="Ada")


def seed_hash(seed: int) -> str:
    """The hash by which a seed is named before the exam; the seed is told after it."""
    return sha256(f"giftsim exam {seed}".encode()).hexdigest()


class Exam:
    """One exam of an app. `results` has one result for each rule, in order."""

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
        if app.process is not None:
            app.process.follow(self._simulator.registry.runtime, lambda: app.protocol)
        self._control = Control(self._simulator.client)
        self._leak: RuleResult | None = None

    def close(self) -> None:
        """End the simulator."""
        self._simulator.close()

    @property
    def passed(self) -> bool:
        """Whether no rule failed, none was skipped, and the app showed something."""
        outcomes = [each.outcome for each in self.results.values()]
        return Outcome.PASSED in outcomes and not {Outcome.FAILED, Outcome.SKIPPED}.intersection(outcomes)

    def hold(self) -> Generator[RuleResult]:
        """Hold the exam; each result as it changes. CannotBeHeld.

        It ends early if the app is gone for good: what was not reached stays skipped.
        """
        self._admit()
        try:
            for number in range(self.rounds):
                yield from self._round(number)
        except _Ended:
            return

    def _round(self, number: int) -> Iterator[RuleResult]:
        """Ask for every rule that did not fail yet. _Ended."""
        rules = [each.rule for each in self.results.values()]
        Random(f"{self.seed}/order/{number}").shuffle(rules)
        for rule in rules:
            if system_clock.monotonic() >= self._until:
                raise _Ended
            if self.results[rule.id].outcome in (Outcome.SKIPPED, Outcome.PASSED):
                yield from self._sit(rule, number)
                self._wait_for_app()

    def _wait_for_app(self) -> None:
        """Wait for an app that is gone: one that a command started is started again. _Ended if it does not come."""
        until = system_clock.monotonic() + COMES_BACK_S
        while not self._is_there():
            if system_clock.monotonic() >= until:
                raise _Ended
            system_clock.pause(POLL_S)

    def _is_there(self) -> bool:
        try:
            if self.app.process is not None:
                self.app.process.begin_run()
            check_reachable(self.app.protocol.app)
        except (AppError, AppNotStarted):
            return False
        return True

    def _admit(self) -> None:
        """Ask the app what it offers, in a world that shows nothing. CannotBeHeld."""
        try:
            check_reachable(self.app.protocol.app)
            with self._sitting(Random(f"{self.seed}/admission"), {}) as sitting:
                sitting.begin(settings=PLAIN)
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
        order = sitting.place(_plain(sitting.drawn_order(1, address=True)))
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

    def _sitting(self, random: Random, readings: Mapping[str, Any]) -> closing[Sitting]:
        """A sitting, whose worlds are deleted at its end."""
        return closing(Sitting(self._control, self._simulator.registry.runtime.origin, self.app, random, readings))

    def _sit(self, rule: Rule, number: int) -> Iterator[RuleResult]:
        """Run a probe of a rule, the first one in turn that the app offers.

        Where guesses were read otherwise and it fails, it is run once more with the usual readings.
        """
        result = self.results[rule.id]
        missing = [action for action in rule.needs if action not in self.app.actions]
        if missing:
            result.outcome, result.reason = Outcome.NOT_OFFERED, f"the app does not offer {', '.join(missing)}"
            yield result
            return
        failed: RuleResult | None = None
        for turn in range(len(rule.probes)):
            probe = rule.probes[(number + self.seed + turn) % len(rule.probes)]
            attempt = _Attempt(rule, probe, f"{self.seed}/{rule.id}/{number}")
            guesses = self._readings(attempt)
            failed = self._probe(attempt, guesses)
            if guesses and failed is not None and failed.outcome is Outcome.FAILED:
                usual = self._probe(attempt)
                if usual is None:
                    yield from (each for each in self._leaned(attempt, failed, guesses) if each is not result)
                failed = usual
            if failed is None or failed.outcome is not Outcome.NOT_OFFERED:
                break
        result.probes += 1
        if failed is not None:
            result.outcome, result.reason, result.why = failed.outcome, failed.reason, failed.why
            result.mend, result.trace = failed.mend, failed.trace
        elif result.outcome is Outcome.SKIPPED:
            result.outcome = Outcome.PASSED
        yield result
        if self._leak is not None:
            yield self._leaked(self._leak)

    def _leaned(self, attempt: _Attempt, failed: RuleResult, guesses: list[str]) -> Iterator[RuleResult]:
        """The rule about guesses fails, since the probe passes with the usual readings; it names what does it alone."""
        result = self.results.get(GUESSES)
        if result is None or result.outcome is Outcome.FAILED:
            return
        for guess in guesses if len(guesses) > 1 else ():
            rest = [each for each in guesses if each != guess]
            again = self._probe(attempt, rest)
            if again is not None:
                failed, guesses = again, rest
        leaned_on = load_variants()[guesses[0]]
        result.outcome, result.trace, result.mend = Outcome.FAILED, failed.trace, leaned_on.safe
        probed = "" if attempt.rule.id == GUESSES else f"{attempt.rule.id}: "
        result.reason = (
            f"{probed}{failed.reason}, where the service reads a guess otherwise ({leaned_on.decision}): "
            f"{leaned_on.silent} {leaned_on.other}"
        )
        result.why = f"The app leans on the guess {leaned_on.decision}. {leaned_on.silent} {leaned_on.safe}"
        yield result

    def _leaked(self, leak: RuleResult) -> RuleResult:
        """The rule about claim links fails, whatever was probed."""
        result, self._leak = self.results[LEAKS], None
        result.outcome, result.reason, result.why = leak.outcome, leak.reason, leak.why
        result.mend, result.trace = leak.mend, leak.trace
        return result

    def _readings(self, attempt: _Attempt) -> list[str]:
        """The guesses that a sitting reads otherwise: often none, and many where the rule is about them."""
        random, names = Random(f"{attempt.luck}/readings"), sorted(load_variants().keys() - set(attempt.rule.usual))
        many = MANY_READINGS if attempt.rule.id == GUESSES else random.choice(READINGS)
        return sorted(random.sample(names, many))

    def _probe(self, attempt: _Attempt, guesses: Sequence[str] = ()) -> RuleResult | None:
        """Run a probe where these guesses are read otherwise; None if the app obeyed."""
        rule = attempt.rule
        with self._sitting(Random(attempt.luck), settings_of(guesses)) as sitting:
            try:
                attempt.probe(sitting)
            except NotOffered as error:
                return RuleResult(rule, Outcome.NOT_OFFERED, str(error))
            except AppGone as error:
                return RuleResult(rule, Outcome.FAILED, str(error), sentence(str(error)))
            except RuleBroken as error:
                return self._broken(rule, sitting, error)
            finally:
                self._look_for_links(sitting)
        return None

    def _look_for_links(self, sitting: Sitting) -> None:
        """Look for claim links in what the app answered in this sitting, unless some were found before."""
        searched = self.results.get(LEAKS)
        if searched is None or searched.outcome is Outcome.FAILED or self._leak is not None:
            return
        try:
            sitting.expect_no_links()
        except RuleBroken as error:
            self._leak = self._broken(searched.rule, sitting, error)

    def _broken(self, rule: Rule, sitting: Sitting, error: RuleBroken) -> RuleResult:
        result = RuleResult(rule, Outcome.FAILED, str(error), sentence(str(error)))
        if not hasattr(sitting, "world"):
            return result
        failure = {"message": str(error), "text": str(error), "values": list(error.about)}
        output = {TITLE: str(self.app.asked)}
        test = {"id": rule.id, "outcome": "failed", "seconds": 0, "failure": failure, "output": output}
        trace = read_trace_file(sitting.world.trace({"test": test}))
        verdicts = trace.get("verdicts", ()) if error.about else ()
        result.why, advice = explain(str(error), verdicts, self.app.url)
        result.mend = advice or error.mend
        if self.folder is not None:
            result.trace = f"{TRACES}/{rule.id}.html"
            (self.folder / TRACES).mkdir(parents=True, exist_ok=True)
            trace["verdicts"] = of_exam(str(error), result.why, result.mend, verdicts, self.app.url)
            (self.folder / result.trace).write_bytes(pack_page(msgspec.json.encode(trace), rule.id))
        return result


class _Attempt(msgspec.Struct, frozen=True):
    """A probe of a rule, and the luck from which it draws."""

    rule: Rule
    probe: Probe
    luck: str


class _Ended(Exception):
    """The budget is used, or the app is gone."""
