"""Runs plans: one simulator on a free port, a fresh world for each run, and the app's failures as the result."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias, cast

import msgspec

from giftsim import Simulator
from giftsim.engine.client.control import Control
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.gateway.idempotency import LIFETIME
from giftsim.engine.kernel.instants import HOUR, parse_duration
from giftsim.engine.log.inputs import AnyInput, ClientCall, ControlCall, TimePassed
from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.app_calls import AppError, call_app, run_check_command
from giftsim.workbench.app.instances import Instances
from giftsim.workbench.app.protocol import AGAIN_AND_AGAIN, TEAM_ACTIONS, AppProtocol
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.explore.acts import emails_made
from giftsim.workbench.explore.books import made_twice
from giftsim.workbench.explore.failures import Failure, RunResult, Wrong, answer_failure, check_failures, make_failure
from giftsim.workbench.explore.plan import Outage, Plan, hours_between
from giftsim.workbench.explore.scenario_writer import OUTAGE_STATUS, Document, action_ends, plan_scenario
from giftsim.workbench.scenario import Report
from giftsim.workbench.scenario.compiler import compile_scenario
from giftsim.workbench.scenario.runner import ScenarioRun
from giftsim.workbench.scenario.yaml_source import Positions, Source

LONG_S = 1.0  # a step of so many real seconds waited for the app


class AppUnreachable(Exception):
    """The app cannot be reached; the message names its URL."""


class PlanRunner:
    """A simulator on a free port of this machine that runs plans against the app until it is closed."""

    def __init__(
        self,
        protocol: AppProtocol,
        command: str | None = None,
        *,
        coverage: bool = False,
        instances: Instances | None = None,
    ) -> None:
        self.protocol, self.command, self.coverage = protocol, command, coverage
        self.instances = instances
        self._simulator = Simulator(fixture="bare")
        self._simulator.serve_locally()
        if instances is not None:
            instances.follow(self._simulator.registry.runtime, lambda: self.protocol)
        self._failures: tuple[Failure, ...] = ()
        self._timed_out = False
        self._waited_s = 0.0
        self.answer_to_start: Any = None

    def close(self) -> None:
        """Stop the simulator."""
        self._simulator.close()

    def run(self, plan: Plan, seed: int) -> RunResult:
        """Run a plan in a fresh world; AppUnreachable if the app cannot be reached."""
        return self.run_document(plan_scenario(plan, self.protocol, seed=seed), plan)

    def run_document(self, document: Document, plan: Plan, trace: Path | None = None) -> RunResult:
        """Run the scenario of a plan in the same way as a scenario file. `trace` is a file to write its trace to."""
        self._failures, self._timed_out, self._waited_s = (), False, 0.0
        if self.instances is not None:
            self.instances.begin_run()
        scenario = compile_scenario(Source("explored.yaml", document, Positions()))
        begun: list[int] | None = None if trace is None else []
        report = self._play(ScenarioRun(scenario, self._simulator.client, self._call_app), plan, begun)
        try:
            result = self._result(report, plan)
            result = msgspec.structs.replace(result, begun=tuple(begun or ()), waited_s=self._waited_s)
            if trace is not None and report.world is not None:
                world = self._world(report)
                trace.write_bytes(world.trace({"test": _facts(document, report, result, _named(world, plan, result))}))
            met = self._met(str(report.world)) if self.coverage else None
            return msgspec.structs.replace(result, met=met)
        finally:
            self._world(report).call("DELETE")

    def _play(self, run: ScenarioRun, plan: Plan, begun: list[int] | None) -> Report:
        """Play a scenario; after each step look into the service's books, and end where they are wrong.

        `begun` gets the number of inputs before each step.
        """
        emails = emails_made(plan.actions) if self.protocol.actions else []
        ends = action_ends(plan, self.protocol)
        while not run.over:
            if begun is not None and run.context is not None:
                begun.append(self._inputs(run.context.main_world.id))
            with self._waiting():
                run.play_step()
            twice = made_twice(self._of_run(run), emails) if emails and run.context else None
            if twice is not None:
                email, times = twice
                step = bisect_left(ends, run.played) + 1
                intent = email.partition("@")[0]
                reason = f"{intent} was made {times} times{_basis(self._of_run(run), plan, intent)}"
                self._failures = (make_failure(reason, wrong=Wrong(min(step, len(ends)), email)),)
                break
        return run.end(keep=True)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count the real seconds of a block as waiting for the app, if they are many: else nothing takes so long."""
        began_s = system_clock.monotonic()
        yield
        took_s = system_clock.monotonic() - began_s
        if took_s >= LONG_S:
            self._waited_s += took_s

    def _met(self, world_id: str) -> Met:
        """What the app has met of the service in a world, without the report that the control API makes of it."""
        world, keeper = self._simulator.registry.find(world_id), self._simulator.keep_coverage()
        with world.locked():
            return cast(Met, keeper.met_in(world))

    def _of_run(self, run: ScenarioRun) -> Control:
        assert run.context is not None
        return ClientWorld(Control(self._simulator.client), run.context.main_world.id)

    def _inputs(self, world_id: str) -> int:
        """How many calls, verbs and advances a world has in its event log."""
        segments = self._simulator.registry.find(world_id).event_log.segments
        return sum(_is_made(event) for segment in segments for event in segment.events)

    def _result(self, report: Report, plan: Plan) -> RunResult:
        dead = _dead(self._world(report).rows("/deliveries", "deliveries"))
        refused = [attempts for attempts in dead if _refused(attempts, plan)]
        if len(refused) < len(dead):
            return RunResult(tuple(_undelivered(refused)))  # the plan kept the others from the app, which lacks them
        undelivered = _undelivered(dead)
        failures = [*self._failures]
        if report.outcome == "passed" and self.command is not None and not failures:
            failures += self._run_check_command(self.command, str(report.world))
        elif report.outcome == "failed" and not (failures or undelivered):
            failures.append(make_failure(_step_failure(report)))
        timed_out = self._timed_out or any(failure.reason.endswith("timeout") for failure in undelivered)
        return RunResult((*failures, *undelivered), timed_out)

    def _call_app(self, url: str, method: str, target: str, body: Any, headers: Mapping[str, str]) -> Response:
        """Call the app and note what is wrong with its response."""
        call = f"{method} {target}"
        try:
            call_it = call_app if self.instances is None else self.instances.call
            response = call_it(url, method, target, body, headers, self.protocol.timeout_s)
        except AppError as error:
            self._timed_out = isinstance(error.__context__, TimeoutError)
            if not self._timed_out:
                raise AppUnreachable(str(error)) from None
            self._failures = (make_failure(f"{call} did not answer within {self.protocol.timeout_s} s"),)
            raise
        except ConnectionError:
            self._failures = (make_failure(f"{call} closed the connection without an answer"),)
            raise
        path, _, step = target.partition(f"?{AGAIN_AND_AGAIN}=")
        if path == self.protocol.check:
            wrong = Wrong(int(step)) if step else None
            self._failures = check_failures(f"{method} {path}", response.status, response.body, wrong)
        elif not 200 <= response.status <= 299:
            action = body.get("action") if isinstance(body, Mapping) else None
            self._failures = (answer_failure(call, response.status, response.body, action),)
        if target == self.protocol.start:
            with suppress(ValueError):
                self.answer_to_start = response.json()
        return response

    def _run_check_command(self, command: str, world: str) -> tuple[Failure, ...]:
        with self._waiting():
            reason = run_check_command(
                command, origin=self._simulator.registry.runtime.origin, world=world, app=self.protocol.app
            )
        return (make_failure(reason),) if reason else ()

    def _world(self, report: Report) -> ClientWorld:
        return ClientWorld(Control(self._simulator.client), str(report.world))


def _basis(world: Control, plan: Plan, intent: str) -> str:
    """The guess that a doubled intent rests on: a key in a header is forgotten, and the intent was repeated later."""
    lifetime = world.call("GET", "/settings").json()[LIFETIME.name]
    if intent.partition("-")[0] not in TEAM_ACTIONS or hours_between(plan, intent) * HOUR < parse_duration(lifetime):
        return ""
    return f"; rests on the guess that keys are remembered for {lifetime} (A3.2, setting {LIFETIME.name})"


def _is_made(event: AnyInput) -> bool:
    """Whether an input is an entry of its own in a trace, which a step or the app made."""
    return isinstance(event, ClientCall | ControlCall) or (isinstance(event, TimePassed) and event.from_ms is not None)


def _facts(document: Document, report: Report, result: RunResult, values: list[Any]) -> dict[str, Any]:
    """The facts of a run for the trace of its world; `values` is what its failures name."""
    facts = {"id": document["scenario"], "outcome": "failed" if result.failures else "passed", "seconds": 0}
    reasons = [failure.reason for failure in result.failures]
    text = "\n".join((*reasons, "", report.timeline))
    return facts | ({"failure": {"message": reasons[0], "text": text, "values": values}} if reasons else {})


def _named(world: ClientWorld, plan: Plan, result: RunResult) -> list[Any]:
    """What the first failure names: the type of a webhook, and the ids of what its intents made."""
    if not result.failures:
        return []
    first = result.failures[0]
    told = first.reason.replace("@", " ").split()
    emails = {email for email in emails_made(plan.actions) if email.partition("@")[0] in told}
    made = [
        row["about"]["id"] for row in world.rows("/recipients", "recipients") if row["email"] in emails and row["about"]
    ]
    return [*filter(None, (first.undelivered,)), *dict.fromkeys(made)]


Attempts: TypeAlias = list[dict[str, Any]]


def _dead(deliveries: Attempts) -> list[Attempts]:
    """The attempts of each webhook that used up its retries and was never accepted."""
    by_event: dict[str, Attempts] = {}
    for attempt in deliveries:
        by_event.setdefault(attempt["event_id"], []).append(attempt)
    last = [(attempts, attempts[-1]) for attempts in by_event.values()]
    return [each for each, end in last if end["outcome"] != "delivered" and end["next_attempt_at"] is None]


def _refused(attempts: Attempts, plan: Plan) -> bool:
    """Whether the app itself failed attempts: more of them than the failures and the outages of a plan can."""
    of_plan = sum(getattr(action, "times", 0) for action in plan.actions)
    outage = any(isinstance(action, Outage) for action in plan.actions)
    return sum(not (outage and attempt["status"] == OUTAGE_STATUS) for attempt in attempts) > of_plan


def _undelivered(dead: list[Attempts]) -> list[Failure]:
    """A failure for each event type of which a webhook is dead."""
    outcomes = {each[-1]["type"]: each[-1]["status"] or each[-1]["outcome"] for each in reversed(dead)}
    return [make_failure(f"{type_} was never accepted: {how}", type_) for type_, how in sorted(outcomes.items())]


def _step_failure(report: Report) -> str:
    """The detail of the step that failed, without its place in the file."""
    failed = next(step for step in report.steps if step.outcome == "failed")
    return f"{failed.title}: {failed.detail.partition(chr(10))[2].strip()}"
