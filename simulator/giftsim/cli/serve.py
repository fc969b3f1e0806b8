"""The command `serve`: turns its options into a running server, with a banner and a clean shutdown."""

from __future__ import annotations

import ipaddress
import json
import sys
from pathlib import Path
from typing import Any

from giftsim import __version__
from giftsim.build import Simulator
from giftsim.control.access import Access
from giftsim.domain.museum import credentials as museum
from giftsim.event_log.journal_file import Unreadable
from giftsim.kernel.instants import parse_instant
from giftsim.paths import CONTROL
from giftsim.problem import Problem
from giftsim.webhooks.forward_targets import check_allowance
from giftsim.worlds import system_clock
from giftsim.worlds.registry import DEFAULT, START_MS


class InvalidOptions(Exception):
    """Options that are invalid, alone or together; the message says what is valid."""


class SimulatorServer:
    """A simulator with a server that listens; `run` serves it."""

    def __init__(self, **options: Any) -> None:
        rate = read_clock(options["clock"])
        host, token = options["host"], options["control_token"]
        if not _is_loopback(host) and not token:
            raise InvalidOptions(f"--host {host} is reachable from other machines: it requires --control-token")
        self.as_json: bool = options["as_json"]
        self.simulator = _build(
            fixture=options["fixture"], seed=options["seed"], now_ms=read_now(options["now"], rate), rate=rate,
            access=Access(token=token, host_names=tuple(options["host_name"])), max_worlds=options["max_worlds"],
            forward=dict(_forward_pair(text) for text in options["forward"]),
            forward_allow=_allowances(options["forward_allow"]),
            journal=Path(options["journal"]) if options["journal"] else None,
        )  # fmt: skip
        self.server = self.simulator.listen(host, options["port"], public_url=options["public_url"])

    def run(self) -> None:
        """Serve until a signal stops it."""
        sys.setswitchinterval(0.0005)
        self.simulator.ticker.start()
        self.simulator.resend_in_flight()
        self.server.run()

    def close(self) -> None:
        """Stop at once, without waiting for calls or deliveries in flight."""
        self.simulator.close()
        self.server.stop()

    def banner(self) -> str:
        """The first output: URLs, credentials and three calls to try; with `--json` one line of JSON."""
        registry = self.simulator.registry
        origin = registry.runtime.origin
        if self.as_json:
            address = {"origin": origin, "host": self.server.host, "port": self.server.port}
            data = {**address, "control": f"{origin}{CONTROL}", "version": __version__, "world": DEFAULT}
            return json.dumps(data)
        return BANNER.format(
            version=__version__, origin=origin, control=f"{origin}{CONTROL}",
            clock=_clock_line(registry.worlds[DEFAULT].state.rate),
            key=f"pk_live_{DEFAULT}_prepaid", team_key=f"ptk_live_{DEFAULT}_approver",
            user=museum.user_name(DEFAULT), password=museum.PASSWORD,
        )  # fmt: skip


BANNER = """\
giftsim {version} is ready at {origin}  (Ctrl-C stops it)

  partner interface   {origin}/api/external      Authorization: Bearer {key}
  team interface      {origin}/api/teams/v1      Authorization: Bearer {team_key}
  museum API          {origin}/v1.1              user {user}, password {password}
  test-control API    {control}           world "default", {clock}
  more credentials    curl -s {control}/worlds/default

Three calls to try:

  curl -s {origin}/api/external/team-orders -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' -d \\
    '{{"idempotency_key": "first", "gift_sender": "Ada", "items": [{{"sku_code": "MUG-01"}}],
      "recipients": [{{"name": "Bo", "email": "bo@example.com"}}]}}'

  curl -s {control}/worlds/default/mail

  curl -s -X POST {control}/worlds/default/clock/advance -H 'Content-Type: application/json' -d '{{"by": "31d"}}'
"""


def _build(**options: Any) -> Simulator:
    try:
        return Simulator(**options)
    except Problem as problem:
        raise InvalidOptions(problem.message) from None
    except OSError as error:
        raise Unreadable(f"{error.filename}: {error.strerror}") from None


def _allowances(entries: tuple[str, ...]) -> tuple[str, ...]:
    try:
        for entry in entries:
            check_allowance(entry)
    except ValueError as error:
        raise InvalidOptions(f"--forward-allow: {error}") from None
    return entries


def read_clock(text: str) -> float:
    """World seconds per real second: 0 for `manual`, 1 for `running`, R for `running@R`."""
    if text == "manual":
        return 0.0
    mode, _, rate = text.partition("@")
    try:
        value = float(rate) if rate else 1.0
    except ValueError:
        value = -1.0
    if mode != "running" or not 0 < value <= 1_000_000:
        raise InvalidOptions(f"--clock is manual, running or running@RATE with a rate up to 1000000, not {text!r}")
    return value


def read_now(text: str | None, rate: float) -> int:
    """The default world's first instant: the option, else the present for a running clock, else a fixed default."""
    if text is None:
        return system_clock.now_ms() if rate else START_MS
    try:
        return parse_instant(text)
    except ValueError as error:
        raise InvalidOptions(f"--now: {error}") from None


def _forward_pair(text: str) -> tuple[str, str]:
    host, separator, url = text.partition("=")
    if not separator or not host or not url:
        raise InvalidOptions(f"--forward is HOST=URL, not {text!r}")
    return host, url


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _clock_line(rate: float) -> str:
    return f"its clock runs at {rate:g} x real time" if rate else "its clock moves only when you advance it"
