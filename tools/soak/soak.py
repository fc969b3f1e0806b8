"""Runs a soak: starts the server, the clients and the testers, kills the server now and then, and measures it."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

from tools.soak.calls import Lost, SoakEnded
from tools.soak.clients import Client
from tools.soak.findings import GROWTH, LEFT_OVER, REDIRECT, Findings
from tools.soak.ledger import WorldLedger
from tools.soak.load import OtherLoad
from tools.soak.observer import Observer, Span, check_waits
from tools.soak.plan import Plan
from tools.soak.receivers import Receivers
from tools.soak.server import NotStarted, Sample, Server
from tools.soak.tested_world import TestedWorld
from tools.soak.tester import Tester

JOIN_LIMIT_S = 120.0
SAMPLE_EVERY_S = 1.0

# At rest the server keeps its two threads, the ticker, and the courier's pool; and connections for a moment.
THREADS_AT_REST, DESCRIPTORS_AT_REST = 40, 60

# What resident memory may grow by, while the worlds stay as large as they are: a share and a fixed amount.
GROWTH_SHARE, GROWTH_MB = 0.15, 20.0
SHORTEST_STRETCH_S = 60.0


class Soak:
    """One soak. `run` returns when it is over; `findings` say what failed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.findings = Findings()
        self.receivers = Receivers()
        options = ["--clock", plan.clock, "--fixture", "empty", *self.receivers.options]
        self.server = Server(plan.folder, self.findings, options)
        ledgers = [WorldLedger(name) for name in plan.names]
        worlds = [TestedWorld(plan, self.server, self.findings, each, self.receivers) for each in ledgers]
        self.testers = [Tester(plan, world) for world in worlds]
        self.clients = [
            Client(n, plan, self.server, self.findings, ledgers[n % plan.worlds]) for n in range(plan.clients)
        ]
        self.last_kill_s = 0.0
        self.observed: list[Span] = []
        self.others = OtherLoad()
        self.others_share = 0.0
        self._ending = threading.Event()

    def run(self) -> None:
        """Run to the end, or until the server does not start again."""
        try:
            for tester in self.testers:
                tester.world.create()
            for thread in (*self.testers, *self.clients):
                thread.start()
            sampler = threading.Thread(target=self._measure, name="sampler", daemon=True)
            sampler.start()
            observer = Observer(self.server.port, self.plan.folder, self.findings)
            with suppress(NotStarted, Lost, SoakEnded), observer:
                self._kill_now_and_then()
                self._end_threads(*self.clients)
                self._end_threads(*self.testers)
                self._check_at_rest()
            self._ending.set()
            sampler.join(JOIN_LIMIT_S)
            self._end_threads(*self.clients, *self.testers)
        finally:
            self.server.stop()
            self.receivers.close()
        self.others_share = self.others.share()
        self.observed = observer.spans(self.server.outages)
        check_waits(self.observed, self.plan.p99_s, self.findings)
        if self.receivers.trap.connections:
            self.findings.fail(REDIRECT, "the target of a redirect was called", self.receivers.trap.connections)
        self._check_growth()

    def _kill_now_and_then(self) -> None:
        choices, every_s = self.plan.stream("kills"), self.plan.kill_every_s
        began = time.monotonic()
        while (passed := time.monotonic() - began) < self.plan.seconds:
            pause = choices.uniform(0.4, 1.6) * every_s
            if passed + pause > self.plan.seconds * self.plan.killing:
                time.sleep(self.plan.seconds - passed)
                return
            time.sleep(pause)
            self.server.restart()
            self.last_kill_s = time.monotonic() - self.server.began_s

    def _end_threads(self, *threads: Client | Tester) -> None:
        for thread in threads:
            thread.ending.set()
        for thread in threads:
            thread.join(JOIN_LIMIT_S)
            if thread.is_alive():
                self.findings.fail(LEFT_OVER, f"{thread.name} hangs")

    def _check_at_rest(self) -> None:
        """Check that nothing is left of what the clients and testers did."""
        worlds = self.testers[0].world.call("GET", "/_sim/v1/worlds?limit=100")["worlds"]
        names = {row["id"] for row in worlds}
        if names != {"default", *self.plan.names}:
            self.findings.fail(LEFT_OVER, f"worlds at the end: {sorted(names)}")
        for tester in self.testers:
            tester.world.caller.close()
        sample = self._sample_at_rest()
        if sample.threads > THREADS_AT_REST:
            self.findings.fail(LEFT_OVER, f"{sample.threads} threads at rest")
        if sample.descriptors > DESCRIPTORS_AT_REST:
            self.findings.fail(LEFT_OVER, f"{sample.descriptors} descriptors at rest")

    def _sample_at_rest(self) -> Sample:
        """The size of the server once its threads and descriptors have gone, or after some seconds."""
        sample = self.server.sample()
        for _ in range(50):
            if sample.threads <= THREADS_AT_REST and sample.descriptors <= DESCRIPTORS_AT_REST:
                break
            time.sleep(0.1)
            sample = self.server.sample()
        return sample

    def _measure(self) -> None:
        while not self._ending.wait(SAMPLE_EVERY_S):
            if self.server.up.is_set() and not self.server.ended:
                with suppress(OSError, KeyError, ValueError):
                    self.server.sample()

    def _check_growth(self) -> None:
        """Compare resident memory early and late after the last kill."""
        since = [sample for sample in self.server.samples if sample.at_s > self.last_kill_s]
        if not since or since[-1].at_s - self.last_kill_s < SHORTEST_STRETCH_S:
            return
        quarter = len(since) // 4
        early, late = (_median_mb(part) for part in (since[quarter : 2 * quarter], since[-quarter:]))
        if late > early * (1 + GROWTH_SHARE) + GROWTH_MB:
            self.findings.fail(GROWTH, f"resident memory grew from {early:.0f} to {late:.0f} MB after the last kill")


def _median_mb(samples: list[Sample]) -> float:
    return sorted(sample.resident_mb for sample in samples)[len(samples) // 2]
