"""Where plans are played: one served simulator, a fresh world for each, and what the app says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.build import Simulator
from giftsim.explore.app_protocol import Contract
from giftsim.explore.failures import HELD, Verdict, Wrong, said, wrong
from giftsim.explore.plan import Outage, Plan, Stumbled, Tangled
from giftsim.explore.scenario_text import text
from giftsim.explore.scenario_writer import Document, told
from giftsim.scenario import Report, load, play
from giftsim.scenario.app_client import AppAnswer, AppFailed, call_app
from giftsim.scenario.check_command import commanded


class Unreachable(Exception):
    """The app is not there; the message names the address and what should answer."""


class Stage:
    """A simulator on a free port of this machine, which plays plans against the app until it is closed."""

    def __init__(self, contract: Contract, command: str | None = None) -> None:
        self.contract, self.command = contract, command
        self.plays = 0
        self._simulator = Simulator(fixture="bare")
        self._server = self._simulator.listen("127.0.0.1", 0)
        self._server.start()
        self._last = ""
        self._wrongs: tuple[Wrong, ...] = ()
        self._hung = False

    def close(self) -> None:
        """End the simulator."""
        self._simulator.close()
        self._server.stop()

    def play(self, plan: Plan, seed: int, accepts: str | None = None) -> Verdict:
        """Play a plan in a fresh world; Unreachable if the app is not there."""
        return self.judge(told(plan, self.contract, seed=seed, accepts=accepts), plan)

    def judge(self, document: Document, plan: Plan) -> Verdict:
        """Play the document of a plan, by the same way as a file is played."""
        self.plays += 1
        self._wrongs, self._hung = (), False
        scenario = load(text(document), "explored.yaml")
        report = play(scenario, self._simulator.client, keep=True, dial=self._dial)
        try:
            return self._verdict(report, plan)
        finally:
            self._control("DELETE", str(report.world))

    def _verdict(self, report: Report, plan: Plan) -> Verdict:
        lost = _never_accepted(self._deliveries(str(report.world)))
        if lost and any(isinstance(action, Outage | Stumbled | Tangled) for action in plan.actions):
            return HELD  # what the plan itself kept from the app is no fault of the app's
        found = [*self._wrongs]
        if report.outcome == "passed" and self.command is not None:
            found += self._commanded(self.command, str(report.world))
        elif report.outcome == "failed" and not (found or lost):
            found.append(wrong(_failure(report)))
        hung = self._hung or any(item.reason.endswith("timeout") for item in lost)
        return Verdict((*found, *lost), hung)

    def _dial(self, url: str, method: str, target: str, body: Any, headers: Mapping[str, str]) -> AppAnswer:
        """A call to the app, with an eye on what it says."""
        call = f"{method} {target}"
        try:
            answer = call_app(url, method, target, body, headers, patience_s=self.contract.timeout_s)
        except AppFailed as failure:
            self._hung = "within" in str(failure)
            if not self._hung:
                raise Unreachable(str(failure)) from None
            self._wrongs = (wrong(f"{call} did not answer within {self.contract.timeout_s} s"),)
            raise
        except ConnectionError:
            self._wrongs = (wrong(f"{call} hung up without an answer"),)
            raise
        if target == self.contract.check:
            self._wrongs = said(call, answer.status, answer.body)
        elif not 200 <= answer.status <= 299:
            self._wrongs = (wrong(f"{call} answered {answer.status}"),)
        return answer

    def _commanded(self, command: str, world: str) -> tuple[Wrong, ...]:
        reason = commanded(command, origin=self._simulator.registry.origin, world=world, app=self.contract.app)
        return (wrong(reason),) if reason else ()

    def _deliveries(self, world: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._control("GET", f"{world}/deliveries?limit=1000")["deliveries"]
        return found

    def _control(self, method: str, path: str) -> Any:
        answer = self._simulator.client.call(method, f"/_sim/v1/worlds/{path}")
        return answer.json() if answer.body else None


def _never_accepted(deliveries: list[dict[str, Any]]) -> list[Wrong]:
    """The kinds of event of which one was tried to the end of the ladder, and never taken."""
    last = {attempt["event_id"]: attempt for attempt in deliveries}
    dead = [one for one in last.values() if one["outcome"] != "delivered" and one["next_attempt_at"] is None]
    kinds = {one["type"]: one["status"] or one["outcome"] for one in reversed(dead)}
    return [wrong(f"{kind} was never accepted: {how}", kind) for kind, how in sorted(kinds.items())]


def _failure(report: Report) -> str:
    """What a play says of the step that failed, without the place in the file."""
    failed = next(step for step in report.steps if step.outcome == "failed")
    return f"{failed.title}: {failed.detail.partition(chr(10))[2].strip()}"
