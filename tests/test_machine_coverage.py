"""The plugin that fails a full run in which a state machine's row was never taken."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from giftsim.build import MACHINES
from giftsim.engine.kernel.state_machine import Machine
from giftsim.services.gifting.domain.money.charge import CHARGE
from tests.support.machine_coverage import RowCoverage, is_whole_suite

ROOT = Path(__file__).parents[1]
PLUGINS = ("-p", "tests.support.machine_coverage", "-p", "no:cacheprovider")

TESTS = """
    import pytest

    from giftsim.build import MACHINES
    from giftsim.engine.kernel.state import State

    COUNTERS = [counter for machine in MACHINES for counter in machine.counters]

    class Recorded:
        log, counters = [], {}

    @pytest.mark.parametrize("counter", COUNTERS[LEFT_OUT:])
    def test_row(counter):
        State.increase(Recorded, counter)
"""


def test_every_row_of_every_machine_has_a_counter() -> None:
    coverage = RowCoverage(MACHINES)
    assert len(coverage.rows) == sum(len(machine.rows) for machine in MACHINES)


def test_every_machine_of_the_product_is_among_those_that_are_judged() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("giftsim.")]
    built = {value.name for module in modules for value in vars(module).values() if isinstance(value, Machine)}
    assert built == {machine.name for machine in MACHINES}


def test_the_report_names_machine_row_and_page() -> None:
    coverage = RowCoverage([CHARGE])
    coverage.taken.update(CHARGE.counters[1:])
    assert list(coverage.report()) == [
        "No test takes these 1 rows of state machines. Add a test for each, or remove the row:",
        "  charge: sent --settle--> paid",
        "(docs/architecture.md explains state machines.)",
    ]
    coverage.taken.update(CHARGE.counters)
    assert list(coverage.report()) == []


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project whose tests take every row but the first."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'simulator'}:{ROOT}")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makeini("[pytest]\ntestpaths = .\n")
    pytester.makepyfile(test_rows=TESTS.replace("LEFT_OUT", "1"))
    return pytester


@pytest.mark.parametrize("part", [("-k", "row"), ("test_rows.py",), ("--deselect", "test_rows.py::other")])
def test_a_part_is_not_the_whole_suite(project: pytest.Pytester, part: tuple[str, ...]) -> None:
    assert is_whole_suite(project.parseconfig())
    assert not is_whole_suite(project.parseconfig(*part))


def test_a_run_of_a_part_is_not_judged(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess(*PLUGINS, "-k", "row")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("*state machine rows*")


def test_a_run_with_a_failed_collection_is_not_judged(project: pytest.Pytester) -> None:
    project.makepyfile(test_broken="import nothing_of_this_name")
    result = project.runpytest_subprocess(*PLUGINS, "--continue-on-collection-errors")
    result.stdout.no_fnmatch_line("*state machine rows*")


PROBE = """
import pytest


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    from tests.support.machine_coverage import is_whole_suite

    loaded = config.pluginmanager.has_plugin("machine coverage")
    pytest.exit(f"judged: {loaded and is_whole_suite(config)}", returncode=0)
"""


@pytest.mark.parametrize(("more", "judged"), [((), True), (("tests/kernel",), False)], ids=["all", "a part"])
def test_make_test_is_judged_unless_it_runs_a_part(tmp_path: Path, more: tuple[str, ...], judged: bool) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^test:.*\n(?:\t.*\n)*?\t\$\(BIN\)/python (-m pytest .*)\$\(ARGS\)$", makefile, re.MULTILINE)
    assert recipe is not None
    (tmp_path / "whole_suite_probe.py").write_text(PROBE)
    command = [sys.executable, "-B", *recipe[1].split(), "-p", "whole_suite_probe", *more]
    environment = {"PYTHONPATH": f"{ROOT / 'simulator'}:{ROOT}:{tmp_path}", "PATH": "/usr/bin:/bin"}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert f"judged: {judged}" in result.stdout + result.stderr


def test_the_suite_loads_the_plugin(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.has_plugin("machine coverage")
