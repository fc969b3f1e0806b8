"""One run: the plan of a seed on a simulated machine, and what must hold meanwhile and at its end."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple
from zlib import crc32

from giftsim.engine.server import ConnectionLimits
from tests.simulation import invariants
from tests.simulation.client import Client
from tests.simulation.exchange import NoAnswer, Violation
from tests.simulation.expected import Expected
from tests.simulation.machine import Machine
from tests.simulation.plan import Event, Plan
from tests.simulation.receivers import Receivers
from tests.simulation.rude import RUDE_ACTIONS
from tests.simulation.scheduler import BASE_S, Owner, Scheduler, Stuck
from tests.simulation.troubles import TROUBLES
from tests.simulation.wild import WILD_ACTIONS
from tests.simulation.workload import CALM_ACTIONS, prepare

ACTIONS = {**CALM_ACTIONS, **RUDE_ACTIONS, **WILD_ACTIONS}

MOST_STEPS = 600_000
LONGEST_S = 7_200.0
RESTART_S = 0.3


class Outcome(NamedTuple):
    """How a run ended: what was violated, or "", and its figures. `digest` is the same for the same run."""

    plan: Plan
    violation: str
    kind: str
    steps: int
    simulated_s: float
    log: tuple[str, ...]

    @property
    def digest(self) -> int:
        """A number that differs if anything happened otherwise."""
        return crc32("\n".join((*self.log, self.violation, str(self.steps), f"{self.simulated_s}")).encode())


class Run:
    """A run of a plan. `deaths` counts what explains that a call gets no answer: ends of processes and the like."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.scheduler = Scheduler(f"{plan.seed}/schedule")
        limits = ConnectionLimits(connections=plan.connections)
        self.machine = Machine(self.scheduler, str(plan.seed), plan.checkpoint_every, limits)
        self.outside = Owner("outside")
        self.expected = Expected()
        self.receivers = Receivers(self)
        self.deaths = self.under_way = self.shortages = 0
        self.is_over = self.is_kept_down = False
        self.log: list[str] = []

    def note(self, text: str) -> None:
        """Add a line to the log of the run."""
        self.log.append(f"{self.scheduler.now_s - BASE_S:9.4f}  {text}")

    def spawn(self, run: Callable[[], None], name: str) -> None:
        """Start a thread outside of the process."""
        self.scheduler.spawn(run, name, self.outside)

    @property
    def is_short(self) -> bool:
        """Whether threads or descriptors may lack, so that any call may have to wait."""
        return "scarce" in self.plan.features

    @property
    def is_crowded(self) -> bool:
        """Whether connections may have given way to others."""
        return self.shortages > 0 or self.plan.connections < len(self.plan.events)

    def go(self) -> Outcome:
        """Run the plan."""
        violation, kind = "", ""
        try:
            self.spawn(self._drive, "driver")
            self.scheduler.run(self._is_done, MOST_STEPS, BASE_S + LONGEST_S)
            self._raise_failures()
        except Violation as error:
            violation, kind = str(error), error.kind
        except Stuck as error:
            violation, kind = str(error), "stuck"
        finally:
            self.machine.kill()
            self.scheduler.kill(self.outside)
        spent_s = self.scheduler.now_s - BASE_S
        return Outcome(self.plan, violation, kind, self.scheduler.steps, spent_s, tuple(self.log))

    def _is_done(self) -> bool:
        return self.is_over or bool(self.scheduler.failures)

    def _raise_failures(self) -> None:
        for error in self.scheduler.failures:
            if isinstance(error, Violation):
                raise error
            raise Violation(f"a thread died of {type(error).__name__}: {error}", "thread died") from error

    def _drive(self) -> None:
        """Start the process, have the events happen, wait until all is calm, and check."""
        self.receivers.start()
        self.machine.start()
        prepare(Client(self, Event(-1, 0.0, "prepare")))
        begin_s = self.scheduler.now_s
        for event in self.plan.events:
            self.under_way += 1
            self.scheduler.call_at(begin_s + event.at_s, partial(self._begin, event))
        while self.under_way or self.machine.is_ending:
            self.scheduler.sleep(RESTART_S)
            self.keep_up()
        self.keep_up()
        invariants.check_at_end(self)
        self.is_over = True

    def keep_up(self) -> None:
        """Start the process again if it has ended."""
        if self.machine.process is None and not self.is_kept_down:
            self.deaths += 1
            self.machine.start()

    def _begin(self, event: Event) -> None:
        self.note(f"event {event}")
        self.spawn(lambda: self._happen(event), f"{event.kind} {event.n}")

    def _happen(self, event: Event) -> None:
        try:
            if event.kind in TROUBLES:
                TROUBLES[event.kind](self, Client(self, event).random)
            else:
                ACTIONS[event.kind](Client(self, event))
        except NoAnswer as error:
            self.note(f"{event.kind} {event.n} got no answer: {error}")
        finally:
            self.under_way -= 1


class Bugs(logging.Handler):
    """Takes what the product logs; an error of a process that lives is a failure of the run."""

    def __init__(self, run: Run) -> None:
        super().__init__(logging.ERROR)
        self._run = run

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error, unless its process is dead: there it is the end of its threads."""
        error, task = record.exc_info[1] if record.exc_info else None, self._run.scheduler.current
        if task is not None and task.owner.is_alive:
            text = f"{record.getMessage()}: {type(error).__name__}: {error}"
            self._run.scheduler.failures.append(Violation(text, "bug"))


@contextmanager
def undisturbed(run: Run) -> Iterator[None]:
    """No log output and no garbage collection in the middle of a run."""
    logger, bugs = logging.getLogger("giftsim"), Bugs(run)
    logger.addHandler(bugs)
    logger.propagate = False
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
        logger.propagate = True
        logger.removeHandler(bugs)


def run(plan: Plan) -> Outcome:
    """Run a plan on a machine of its own."""
    simulated = Run(plan)
    with undisturbed(simulated):
        return simulated.go()
