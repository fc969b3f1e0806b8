"""What is imported when: a start loads few libraries, and everything heavy is loaded by its first use."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from giftsim.build import CONTRACTS
from giftsim.engine.control.areas import homes
from giftsim.engine.gateway.contract import Contract
from giftsim.services.known import merged_service
from tests.support.served_simulator import ROOT

START = {"cython_runtime", "httptools", "jsonschema_rs", "msgspec", "typing_extensions"}
HEAVY = (  # in so far as they belong to Python itself; every other library counts as heavy
    "asyncio", "concurrent.futures.process", "multiprocessing", "sqlite3", "tkinter", "unittest", "xml.etree",
)  # fmt: skip
LOADED = f"""
import json, sys
def tell():
    top = {{name.partition(".")[0] for name in sys.modules if not name.startswith("_")}} - set(sys.stdlib_module_names)
    print(json.dumps([*top - {{"sitecustomize", "tests", "site"}}, *({{*{HEAVY}}} & set(sys.modules))]))
"""
STARTED = """
from giftsim.cli.serve import SimulatorServer
from giftsim.cli.serve_command import serve
options = serve.make_context("serve", ["--port", "0"]).params
del options["control_token_file"]
client = SimulatorServer(**options).simulator.client
def call(method, path, body=None, status=200):
    response = client.call(method, path, body=body, headers={"Authorization": "Bearer pk_live_default_prepaid"})
    assert response.status == status, response.text
call("GET", "/_sim/v1/health")
order = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}]}
call("POST", "/api/external/team-orders", {**order, "recipients": [{"name": "Bo", "email": "bo@example.com"}]}, 201)
call("POST", "/_sim/v1/worlds/default/clock/advance", {"by": "10d"})
"""
# What a simulator of its own has no use for until it is asked for something.
LATER = (
    "concurrent.futures", "dataclasses", "email", "http.client", "jsonschema_rs", "logging", "pickle", "secrets", "ssl",
    "urllib.request", "yaml",
    "giftsim.console", "giftsim.engine.control.control_interface", "giftsim.workbench.explore",
    "giftsim.services.gifting.interfaces.claim.pages", "giftsim.services.museum.museum_interface",
    "giftsim.services.gifting.interfaces.partner.partner_interface", "giftsim.services.published",
    "giftsim.services.gifting.interfaces.team.team_interface", "giftsim.services.gifting.magic.reference_table",
    "giftsim.engine.pages", "giftsim.workbench.recording", "giftsim.engine.replay.apply",
    "giftsim.workbench.scenario", "giftsim.testing", "giftsim.workbench.trace",
)  # fmt: skip
# Modules, a few more than there are: what a start takes goes by their number. Python 3.13 has two more.
MOST_OWN, MOST = 259, 386
FIRST_TEST = """
from giftsim import Simulator
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
with open_world(InProcess(Simulator(fixture="bare"))) as giftsim:
    giftsim.subscribe("team_order.claimed")
    order = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
             "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
    placed = giftsim.call("POST", "/api/external/team-orders", body=order, headers=giftsim.headers("partner.prepaid"))
    giftsim.claim(placed.json())
    giftsim.advance("10d")
    giftsim.assert_webhook("team_order.claimed", recipient={"email": "bo@example.com"})
"""
# What a test in process has no use for.
NOT_FOR_A_TEST = (
    "http.client",
    "pickle",
    "ssl",
    "yaml",
    "giftsim.engine.replay",
    "giftsim.workbench.scenario",
    "giftsim.services.statements",
)
MODULES = """
import sys
def tell():
    print("[" + ",".join(f'"{name}"' for name in sys.modules) + "]")
"""
CALL = """
def call(path, key):
    response = simulator.client.call("GET", path, headers={"Authorization": f"Bearer {key}"})
    assert response.status == 200, response.text
"""
CALLS = {
    "services.gifting.interfaces.partner": 'call("/api/external/team-orders", "pk_live_default_prepaid")',
    "services.gifting.interfaces.team": 'call("/api/teams/v1/people", "ptk_live_default_approver")',
    "engine.control": 'call("/_sim/v1/worlds/default/mail", "")',
}
USES = {
    "flask": 'call("GET", "/")',
    "mcp_types": 'call("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, 401)',
    "jsonpath_ng": 'call("POST", "/_sim/v1/scenarios/play", open("scenarios/partner/declined_card.yaml").read())',
    "uharfbuzz": "import giftsim.services.gifting.interfaces.team.pdf",
}


def loaded(*pieces: str, tell: str = LOADED) -> list[set[str]]:
    """The libraries that are loaded after each piece of a program; with `tell` all modules."""
    done = subprocess.run(
        [sys.executable, "-c", tell + "".join(f"{piece}\ntell()\n" for piece in pieces)],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "simulator")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [set(json.loads(line)) for line in done.stdout.splitlines() if line.startswith("[")]


def test_the_package_alone_loads_no_library() -> None:
    nothing, package, plugin, fixtures = loaded(
        "", "import giftsim", "import giftsim_pytest.entry", "import giftsim.testing"
    )
    assert package - nothing == {"giftsim"}
    assert plugin - package == {"giftsim_pytest"}
    assert fixtures - plugin <= START


def test_a_start_and_the_first_calls_load_few_libraries_and_others_are_loaded_by_their_first_use() -> None:
    nothing, start, *later = loaded("", STARTED, *USES.values())
    assert start - nothing - START == {"giftsim", "click"}
    before = start
    for library, after in zip(USES, later, strict=True):
        assert library not in before
        assert library in after
        before = after


def test_a_simulator_loads_few_modules_and_none_that_it_may_not_need() -> None:
    nothing, start = loaded("", "from giftsim import Simulator\nsimulator = Simulator()", tell=MODULES)
    assert sorted(start & {*HEAVY, *LATER}) == []
    assert len({name for name in start if name.partition(".")[0] == "giftsim"}) <= MOST_OWN
    assert len(start - nothing) <= MOST


@pytest.mark.parametrize("called", CALLS)
def test_a_call_loads_its_own_interface_alone_and_of_the_control_api_its_own_handlers(called: str) -> None:
    start = f"from giftsim import Simulator\nsimulator = Simulator()\n{CALL}"
    [before, after] = loaded(start, CALLS[called], tell=MODULES)
    interfaces = {name.rpartition(".")[0] for name in after - before if name.endswith("_interface")}
    assert interfaces == {f"giftsim.{called}"}
    areas = set(homes(Contract.load(CONTRACTS["control"]), merged_service().areas).values())
    assert (after - before) & areas == (
        {"giftsim.services.gifting.records.mail_records"} if called == "engine.control" else set()
    )


def test_a_server_loads_no_traces_until_it_is_given_one() -> None:
    [modules] = loaded(STARTED, tell=MODULES)
    assert "giftsim.cli.serve" in modules
    assert sorted(modules & {"giftsim.workbench.trace", "gzip", "html"}) == []


def test_commands_load_few_libraries() -> None:
    nothing, version, help_ = loaded(
        "",
        "from giftsim.cli.main import main\ntry: main(['--version'])\nexcept SystemExit: pass",
        "try: main(['serve', '--help'])\nexcept SystemExit: pass",
    )
    assert version - nothing == help_ - nothing == {"giftsim", "click"}


def test_a_small_command_loads_no_simulator_and_no_zones() -> None:
    asks = (
        "from giftsim.cli.main import main\ntry: main(['now', '--url', 'http://127.0.0.1:9'])\nexcept SystemExit: pass"
    )
    [modules] = loaded(asks, tell=MODULES)
    assert "giftsim.cli.remote.output" in modules
    parts = {name.split(".")[1] for name in modules if name.startswith("giftsim.")}
    assert not parts & {"build", "control", "courier", "domain", "interfaces", "server", "worlds"}
    assert not modules & {"zoneinfo", "shutil", "sysconfig"}


def test_a_test_run_that_calls_a_server_loads_no_simulator() -> None:
    [modules] = loaded("import giftsim.testing", tell=MODULES)
    parts = {name.split(".")[1] for name in modules if name.startswith("giftsim.")}
    assert not parts & {"build", "control", "courier", "domain", "interfaces", "server", "worlds"}
    assert "socket" not in modules


def test_a_test_in_process_loads_no_scenarios_and_no_tls() -> None:
    [modules] = loaded(FIRST_TEST, tell=MODULES)
    assert sorted(modules & set(NOT_FOR_A_TEST)) == []
