"""Where plans run: a simulator and an app for one plan at a time, in this process or in those of an executor."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable
from functools import cache

import msgspec

from giftsim.engine.kernel.garbage_collection import keeping_everything
from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.instances import Instances
from giftsim.workbench.app.process import AppNotStarted, url_of_own
from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.app_clock.app_time import AppTime
from giftsim.workbench.explore.failures import RunResult, SeedResult, make_failure
from giftsim.workbench.explore.plan import Plan
from giftsim.workbench.explore.plan_runner import AppUnreachable, PlanRunner

APP_STOPPED = "the app stopped answering"
IDLE_S = 30.0
TRIES = 3  # to start an app, as another program can take a port that was free

RunSeed = Callable[[int, Plan], SeedResult]


class Equipment(msgspec.Struct, frozen=True):
    """What a process needs to run plans: how to start an app, how to speak to it, how to check it, what to keep."""

    protocol: AppProtocol
    app_command: str
    check: str | None = None
    coverage: bool = False


def run_seed(runner: PlanRunner, seed: int, plan: Plan) -> SeedResult:
    """Run the plan of a seed. If the app stopped answering, that is the failure, and the exploration ends."""
    started = system_clock.monotonic()
    try:
        result, stop_reason = runner.run(plan, seed), None
    except AppUnreachable:
        result, stop_reason = RunResult((make_failure(APP_STOPPED),)), f"stopped at seed {seed}: {APP_STOPPED}"
    return SeedResult(seed, plan, result, system_clock.monotonic() - started, stop_reason)


def run_at_a_workplace(equipment: Equipment, seed: int, plan: Plan) -> SeedResult:
    """Run the plan of a seed with a simulator and an app of this process, which it keeps for the next one.

    AppNotStarted.
    """
    return _workplaces(equipment).run(seed, plan)


def close_workplaces(equipment: Equipment) -> None:
    """End the apps and simulators of this process that run no plan."""
    _workplaces(equipment).close()


class _Workplace:
    """A simulator and an app for one plan at a time."""

    def __init__(self, equipment: Equipment) -> None:
        self._app = _start_app(equipment)
        protocol = msgspec.structs.replace(equipment.protocol, app=self._app.url)
        with keeping_everything():
            self.runner = PlanRunner(protocol, equipment.check, coverage=equipment.coverage, instances=self._app)
        self.idle: threading.Timer | None = None

    def close(self) -> None:
        self.runner.close()
        self._app.close()


def _start_app(equipment: Equipment, tries: int = TRIES) -> Instances:
    app: Instances | None = None
    try:
        time = AppTime(shlex.split(equipment.app_command)) if equipment.protocol.is_shown_time else None
        app = Instances(equipment.app_command, url_of_own(equipment.protocol.app), time)
        app.wait()
    except AppNotStarted:
        if app is not None:
            app.close()
        if tries == 1:
            raise
        return _start_app(equipment, tries - 1)
    return app


class _Workplaces:
    """The workplaces of a process: as many as it runs plans at once. One that stays idle is closed."""

    def __init__(self, equipment: Equipment) -> None:
        self._equipment = equipment
        self._idle: list[_Workplace] = []
        self._lock = threading.Lock()

    def run(self, seed: int, plan: Plan) -> SeedResult:
        place = self._take() or _Workplace(self._equipment)
        try:
            done = run_seed(place.runner, seed, plan)
        except BaseException:
            place.close()
            raise
        if done.stop_reason is not None:
            place.close()
        else:
            self._keep(place)
        return done

    def close(self) -> None:
        while (place := self._take()) is not None:
            place.close()

    def _take(self) -> _Workplace | None:
        with self._lock:
            place = self._idle.pop() if self._idle else None
        if place is not None and place.idle is not None:
            place.idle.cancel()
        return place

    def _keep(self, place: _Workplace) -> None:
        place.idle = threading.Timer(IDLE_S, self._close_idle, [place])
        place.idle.daemon = True
        with self._lock:
            self._idle.append(place)
        place.idle.start()

    def _close_idle(self, place: _Workplace) -> None:
        with self._lock:
            if place not in self._idle:
                return
            self._idle.remove(place)
        place.close()


@cache
def _workplaces(equipment: Equipment) -> _Workplaces:
    """The workplaces of this process, which live as long as it does: an executor passes on nothing but calls."""
    return _Workplaces(equipment)
