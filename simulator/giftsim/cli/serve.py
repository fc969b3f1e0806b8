"""The command `serve`: turns its options into a running server, with a banner and a clean shutdown."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from giftsim import __version__
from giftsim.build import Simulator
from giftsim.cli.https import https_front
from giftsim.cli.serve_option_values import (
    InvalidOptions,
    check_token,
    read_allowances,
    read_clock,
    read_cors_origins,
    read_forward,
    read_host_names,
    read_now,
    read_public_url,
    read_worlds_prefix,
)
from giftsim.cli.terminal import print_text
from giftsim.engine.control.access import Access
from giftsim.engine.kernel.instants import format_instant, parse_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.log.journal_contents import Unreadable
from giftsim.engine.problem import Problem
from giftsim.engine.server import raise_descriptor_limit
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.worlds.registry import DEFAULT
from giftsim.engine.worlds.waiters import WaitLimits

if TYPE_CHECKING:
    from giftsim.cli.activity_log import ActivityLog
    from giftsim.engine.gateway.documents import Observed
    from giftsim.engine.worlds.app_clock import TimeFile

LOOPBACK = "127.0.0.1"
TOKEN_WAY = "a token for the test-control API, in the variable GIFTSIM_CONTROL_TOKEN or a file (--control-token-file)"
FINISH_S = 5.0  # for calls in progress when it is stopped; container engines kill after ten seconds


class SimulatorServer:
    """A simulator with a server that listens; `run` serves it."""

    def __init__(self, **options: Any) -> None:
        rate = read_clock("manual" if options["trace"] else options["clock"])
        host, token, public_url = options["host"], options["control_token"], read_public_url(options["public_url"])
        check_token(host, token, TOKEN_WAY)
        cors_allow = read_cors_origins(options["cors_allow"])
        self.as_json: bool = options["as_json"]
        self.has_own_certificate = bool(options["certificate"])
        self.observer = (
            _activity_log(as_json=options["log_json"]) if options["verbose"] or options["log_json"] else None
        )
        large = options["large_files"]
        trace = _trace(Path(options["trace"]), large=large) if options["trace"] else None
        self.simulator = _build(
            **_world(options, rate) if trace is None else _world_of(trace, options["trace"], large=large),
            services=options["services"].split(",") if options["services"] is not None else None,
            access=Access(token=token, host_names=read_host_names(options["host_name"])),
            max_worlds=options["max_worlds"],
            worlds_prefix=read_worlds_prefix(options["worlds_prefix"]),
            forward=read_forward(options["forward"]),
            forward_allow=read_allowances(options["forward_allow"]),
            journal=Path(options["journal"]) if options["journal"] else None,
            scenarios=Path(options["scenarios"]) if options["scenarios"] else None,
            waits=WaitLimits(held_call_s=options["hold_timeout"]),
            large_files=large,
            observed=_observed(options["observed"]),
        )
        if options["coverage"]:
            self.simulator.keep_coverage(all_worlds=True)
        self._check_recovered(options["clock"], options["now"])
        if trace is not None and not self.simulator.recovered:
            self._open_trace(trace, options["at"])
        self._app_clock_file = self._set_app_clock(options["app_clock_file"])
        raise_descriptor_limit()
        self.front = https_front(options)
        address = (host, options["port"]) if self.front is None else (LOOPBACK, 0)
        origin = public_url or (self.front.origin if self.front is not None else None)
        self.server = self.simulator.listen(*address, public_url=origin, cors_allow=cors_allow)

    def _check_recovered(self, clock: str | None, now: str | None) -> None:
        """Refuse a clock and a first instant that are not those with which the journal file's world began."""
        world = self.simulator.registry.worlds[DEFAULT]
        unused = []
        if clock is not None and read_clock(clock) not in (world.config.rate, world.state.rate):
            unused.append(f"--clock {clock} cannot take effect: {_clock_line(world.state.rate)}")
        if now is not None and parse_instant(now) != world.config.now_ms:
            unused.append(f"--now {now} cannot take effect: its time is {format_instant(world.state.now_ms)}")
        if self.simulator.recovered and unused:
            self.simulator.close()
            raise InvalidOptions(
                f"the journal file continues its world {DEFAULT}. {'. '.join(unused)}. Leave that out, or start with"
                " another file"
            )

    def _set_app_clock(self, path: str | None) -> TimeFile | None:
        """Let the time in a file follow the default world."""
        if path is None:
            return None
        from giftsim.engine.worlds.app_clock import AppDidNotAct, TimeFile

        file = TimeFile(Path(path), system=self.simulator.registry.runtime.system)
        try:
            file.show(self.simulator.registry.worlds[DEFAULT].state.now_ms)
        except AppDidNotAct as error:
            self.simulator.close()
            raise InvalidOptions(f"--app-clock-file: {error}") from None
        return file

    def _open_trace(self, trace: bytes, at: int | None) -> None:
        """Let the default world become that of a trace."""
        try:
            self.simulator.open_trace(trace, at, lambda _config: self.simulator.registry.worlds[DEFAULT])
        except Problem as problem:
            self.simulator.close()
            raise InvalidOptions(f"--trace: {problem.message}") from None

    def run(self) -> None:
        """Serve until `request_stop`, then answer the calls in progress."""
        sys.setswitchinterval(0.0005)
        self.simulator.registry.runtime.observer = self.observer
        self.simulator.resend_in_flight()  # first, so that the log has it before what timers send
        self.simulator.ticker.start()
        if self._app_clock_file is not None:
            registry = self.simulator.registry
            registry.let_app_follow(registry.worlds[DEFAULT], self._app_clock_file)
        self.simulator.prepare_console()
        if self.front is not None:
            new_request_id = self.simulator.registry.next_request_id
            self.front.start((self.server.host, self.server.port), new_request_id)
        self.server.run()
        self.server.finish(FINISH_S)

    def request_stop(self) -> None:
        """Let `run` end; a signal handler may call it."""
        self.server.request_stop()

    def close(self) -> None:
        """Close the journal file and all connections, without waiting for held calls or deliveries in flight."""
        self.simulator.close()
        if self._app_clock_file is not None:
            self._app_clock_file.close()
        self.server.stop()
        if self.front is not None:
            self.front.stop()

    def banner(self) -> str:
        """The first output: URLs, credentials and calls to try; with `--json` one line of JSON."""
        registry = self.simulator.registry
        origin = registry.runtime.origin
        if self.as_json:
            listening = self.front or self.server
            address = {"origin": origin, "host": listening.host, "port": listening.port}
            data = {**address, "control": f"{origin}{CONTROL}", "version": __version__, "world": DEFAULT}
            return json.dumps(data)
        return self._greeting(origin, registry.worlds[DEFAULT].state)

    def _greeting(self, origin: str, state: State) -> str:
        greetings, control = self.simulator.service.greetings, f"{origin}{CONTROL}"
        rows = [row for each in greetings for row in each.interfaces(origin, DEFAULT)]
        steps = [each.steps(origin, control, state) for each in greetings if each.steps is not None]
        return BANNER.format(
            version=__version__,
            origin=origin,
            control=control,
            interfaces="".join(f"  {name:<19} {address:<{len(origin) + 18}} {how}\n" for name, address, how in rows),
            clock=_clock_line(state.rate),
            trust=TRUST if self.front is not None and not self.has_own_certificate else "",
        ) + "".join(steps)


BANNER = """\
giftsim {version} is ready at {origin}  (Ctrl-C stops it)

  console             {origin}/                  open it in a browser: see what happens, move time
  documentation       {origin}/console/docs/     how to do something, what an error means
{interfaces}  test-control API    {control}           world "default", {clock}
  more credentials    curl -s {control}/worlds/default
{trust}
"""

TRUST = """\
  certificate         eval "$(giftsim serve trust --export)"   lets curl, Node, Python and others here accept it
"""


def _activity_log(*, as_json: bool) -> ActivityLog:
    from giftsim.cli.activity_log import ActivityLog

    return ActivityLog(as_json=as_json)


def _observed(file: str | None) -> Mapping[str, Observed]:
    """What the file of --observed says; standard error gets what it contradicts."""
    if file is None:
        return {}
    from giftsim.workbench.compare.observed import Observations, UnreadableObservations

    try:
        observations = Observations.of_file(Path(file))
    except UnreadableObservations as error:
        raise InvalidOptions(f"--observed {error}") from None
    for line in observations.warnings:
        print_text(line, err=True)
    return observations.by_id


def _world(options: Mapping[str, Any], rate: float) -> dict[str, Any]:
    """The options of the default world."""
    now_ms = read_now(options["now"], rate)
    return {"fixture": options["fixture"], "seed": options["seed"], "now_ms": now_ms, "rate": rate}


def _trace(path: Path, *, large: bool) -> bytes:
    """The content of the file of --trace."""
    from giftsim.workbench.trace.file import UnreadableTrace, read_file

    try:
        return read_file(path, large=large)
    except UnreadableTrace as error:
        raise InvalidOptions(f"--trace {error}") from None


def _world_of(trace: bytes, file: str, *, large: bool) -> dict[str, Any]:
    """The options of the world that the trace in a file begins with."""
    from giftsim.workbench.trace.resume import config_of, read_trace

    try:
        return msgspec.structs.asdict(config_of(read_trace(trace, large=large).scenario))
    except Problem as problem:
        raise InvalidOptions(f"--trace {file}: {problem.message}") from None


def _build(**options: Any) -> Simulator:
    try:
        return Simulator(**options)
    except Problem as problem:
        raise InvalidOptions(problem.message) from None
    except OSError as error:
        raise Unreadable(f"{error.filename}: {error.strerror}") from None


def _clock_line(rate: float) -> str:
    return f"its clock runs at {rate:g} x real time" if rate else "its clock moves only when you advance it"
