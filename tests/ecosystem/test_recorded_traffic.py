"""Recorded traffic: eighteen differences on each of three recordings, and recordings of other tools."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.engine.worlds import system_clock
from tests.support.browser import BrowserThread, require_browser
from tests.support.free_ports import free_ports
from tests.support.listening import listening
from tests.support.orders import order_body
from tests.support.planted_traffic import FAULTS, READINGS
from tests.support.python_tools import installed_tools
from tests.support.recorded_clients import CALLS, MIXES, drive
from tests.support.recorded_service import RecordedService
from tests.support.served_simulator import ROOT
from tests.support.waiting import wait_until

KEY = "Bearer pk_live_default_prepaid"
ORDERS = "/api/external/team-orders"
LOCK = ROOT / "tests" / "ecosystem" / "recording_tools" / "requirements.lock"


def report_on(file: Path) -> tuple[int, dict[str, Any]]:
    """The exit status of a comparison with a file, and its report."""
    result = CliRunner().invoke(main, ["compare", "--traffic", str(file), "--json"])
    assert result.exit_code in (0, 1), result.output
    return result.exit_code, json.loads(result.stdout)


def named(report: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """What a report names: decisions with their settings and values, and what no setting explains."""
    found: set[tuple[Any, ...]] = set()
    for row in (*report["operations"], *report["webhooks"]):
        for each in row["differences"]:
            if each["setting"] is not None:
                found.add((each["decision"], each["setting"], each["value"]))
            else:
                found.add((row.get("operation") or row["event"], each["kind"], each["path"]))
    return found


@pytest.mark.parametrize(("mix", "seed"), [(mix, seed) for seed, mix in enumerate(MIXES, 5)])
def test_twelve_other_readings_and_six_faults_are_all_named_and_nothing_else_is(
    tmp_path: Path, mix: str, seed: int
) -> None:
    service = RecordedService(dict(READINGS.values()), FAULTS.values())
    assert drive(service, mix, seed).count >= CALLS
    file = tmp_path / f"{mix}.har"
    file.write_text(json.dumps(service.har()))
    status, report = report_on(file)
    assert status == 1
    assert named(report) == {(decision, *turned) for decision, turned in READINGS.items()} | FAULTS.keys()


def simulator_of_now() -> Simulator:
    """A simulator whose clock goes with this machine's, as that of a service does."""
    return Simulator(fixture="empty", now_ms=system_clock.now_ms(), rate=1.0)


def reached(report: Mapping[str, Any]) -> dict[str, str]:
    """The outcomes of the operations that were reached."""
    return {row["operation"]: row["outcome"] for row in report["operations"] if row["outcome"] != "not_reached"}


def test_a_recording_of_mitmproxy_is_read(tmp_path: Path) -> None:
    file, port = tmp_path / "proxy.har", free_ports(1)
    program = installed_tools(LOCK) / "mitmdump"
    with listening(simulator_of_now()) as server:
        mode = ["--mode", f"reverse:http://127.0.0.1:{server.port}", "--listen-port", str(port)]
        options = ["--set", f"hardump={file}", "--set", f"confdir={tmp_path / 'conf'}"]
        proxy = subprocess.Popen([str(program), "-q", *mode, *options], cwd=tmp_path)
        try:
            wait_until(lambda: _accepts(port))
            headers = {"Authorization": KEY, "Content-Type": "application/json"}
            origin = f"http://127.0.0.1:{port}"
            with urlopen(Request(origin + ORDERS, json.dumps(order_body()).encode(), headers), timeout=60) as answer:
                assert answer.status == 201
            with urlopen(Request(f"{origin}{ORDERS}/1001", headers=headers), timeout=60) as answer:
                assert answer.status == 200
        finally:
            proxy.send_signal(signal.SIGINT)
            proxy.wait(60)
    status, report = report_on(file)
    assert (status, reached(report)) == (0, {"createTeamOrder": "same", "getTeamOrder": "same"})


def _accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


FETCH = """async ([path, key, body]) => {
    const headers = {Authorization: key, 'Content-Type': 'application/json'};
    await (await fetch(path, {method: 'POST', headers, body: JSON.stringify(body)})).text();
    await (await fetch(`${path}/1001`, {headers})).text();
}"""


@pytest.mark.parametrize(
    ("content", "outcomes"), [("embed", {"createTeamOrder": "same", "getTeamOrder": "same"}), ("omit", {})]
)
def test_a_recording_of_playwright_is_read_and_calls_without_their_bodies_are_left_out(
    tmp_path: Path, content: str, outcomes: dict[str, str]
) -> None:
    thread, file = BrowserThread(require_browser()), tmp_path / "browser.har"
    try:
        with listening(simulator_of_now()) as server:
            thread.run(_browse, thread, f"http://127.0.0.1:{server.port}", file, content)
    finally:
        thread.close()
    status, report = report_on(file)
    assert (status, reached(report)) == (0, outcomes)


def _browse(thread: BrowserThread, origin: str, file: Path, content: Any) -> None:
    """Visit the console and let its page call the service, recorded."""
    context = thread.browser.new_context(record_har_path=file, record_har_content=content)
    page = context.new_page()
    page.goto(f"{origin}/")
    page.evaluate(FETCH, [ORDERS, KEY, order_body()])
    context.close()
