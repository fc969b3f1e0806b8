"""A client of the simulated machine: it makes calls, and knows which ends without an answer are explained."""

from __future__ import annotations

from collections.abc import Callable
from random import Random  # noqa: TID251 - the seed decides
from typing import TYPE_CHECKING, Any

from tests.simulation.exchange import Answer, Line, NoAnswer, Truncated, Violation, request
from tests.simulation.machine import PORT
from tests.simulation.plan import Event

if TYPE_CHECKING:
    from tests.simulation.run import Run

CALM_BOUND_S = 0.9
BOUND_S = 60.0  # where calls may have to wait for others
RETRY_S = 0.25
MOST_TRIES = 400
TRY_AGAIN = ("journal_not_written", "service_unavailable", "deliveries_in_flight", "clock_busy", "")


class Client:
    """What happens at one event. Its random stream is its own, so that the events around it do not change it."""

    def __init__(self, run: Run, event: Event) -> None:
        self.run, self.event = run, event
        self.random = Random(f"{run.plan.seed}/{event.n}")
        self._count = 0

    def tag(self, word: str) -> str:
        """A text that nothing else in the run has."""
        self._count += 1
        return f"{word}-{self.event.n}-{self._count}"

    def bound_s(self, *, waits: bool) -> float:
        """How long an answer may take; `waits`: it may have to wait for others."""
        return BOUND_S if waits or self.run.is_short else CALM_BOUND_S

    def connect(self, *, waits: bool = False) -> Line:
        """A connection. NoAnswer if nobody listens."""
        run = self.run
        try:
            sock = run.machine.network.connect(run.outside, PORT, self.random)
        except OSError as error:
            raise NoAnswer(f"cannot connect: {error}") from None
        return Line(sock, self.bound_s(waits=waits), f"{self.event.kind} {self.event.n}")

    def exchange(self, work: Callable[[Line], Answer], *, waits: bool = False) -> Answer:
        """Use a connection for something. NoAnswer if that is explained, Violation if it is not."""
        deaths, line = self.run.deaths, self.connect(waits=waits)
        try:
            answer = work(line)
        except NoAnswer as error:
            self.explain(error, deaths)
            raise
        finally:
            line.close()
        self.look_at(answer)
        return answer

    def explain(self, error: NoAnswer, deaths: int) -> None:
        """Violation unless the end of a process, or a shortage, explains that there is no answer."""
        run = self.run
        if run.deaths == deaths and run.machine.is_up and not run.is_crowded:
            what = "half an answer" if isinstance(error, Truncated) else "no answer"
            raise Violation(f"{self.event.kind} {self.event.n} got {what}: {error}", "no answer")

    def look_at(self, answer: Answer) -> None:
        """Violation for what is never answered."""
        if answer.status == 500:
            raise Violation(f"{self.event.kind} {self.event.n} was answered 500: {answer.body[:200]!r}", "500")

    def call(
        self, method: str, path: str, body: Any = None, key: str | None = None, *, waits: bool = False, **headers: str
    ) -> Answer:
        """Make one call on a connection of its own. What changes a world by the control API waits. NoAnswer."""
        waits = waits or (method != "GET" and path.startswith("/_sim/"))
        data = request(method, path, body, key, **headers)

        def make(line: Line) -> Answer:
            line.send(data)
            return line.read(method)

        answer = self.exchange(make, waits=waits)
        self.run.note(f"{self.event.kind} {self.event.n}: {method} {path} {answer.status} {answer.code}")
        return answer

    def insist(
        self, method: str, path: str, body: Any = None, key: str | None = None, *, waits: bool = False
    ) -> Answer:
        """Make a call until it is answered with anything but "try again"."""
        for _ in range(MOST_TRIES):
            try:
                answer = self.call(method, path, body, key, waits=waits)
            except NoAnswer as error:
                self.run.note(f"{self.event.kind} {self.event.n}: {method} {path}: {error}")
            else:
                if answer.status != 503 and answer.code != "clock_busy":
                    return answer
            self.run.scheduler.sleep(RETRY_S)
        raise Violation(f"{method} {path} was not answered in {MOST_TRIES} tries", "not answered")
