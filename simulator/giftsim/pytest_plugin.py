"""The pytest plugin: fixtures `giftsim`, `giftsim_server` and `app_clock`, and scenario files as tests.

Everything else is imported at the first use, so a run that uses none of it pays nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from giftsim.testing import Giftsim
    from giftsim.testing.app_environment import AppEnvironment
    from giftsim.testing.coverage_run import CoverageRun
    from giftsim.testing.scenario_item import ScenarioFile
    from giftsim.testing.transport import Transport

YAML = (".yaml", ".yml")
SCAN_BYTES = 64 * 1024
# Each is imported only for a run that has the option.
URL_CHECKS = {
    "--giftsim-url": ("giftsim.testing.transport", "check_origin"),
    "--giftsim-app": ("giftsim.workbench.scenario", "check_app_url"),
}
_WORLDS = frozenset(("giftsim", "giftsim_server"))
TRACES = ("on", "retain-on-failure", "off")
WORLD_OPTIONS = ("fixture", "seed", "now", "settings")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add command-line options and ini settings for the worlds of tests."""
    group = parser.getgroup("giftsim", "worlds of the gifting service")
    group.addoption("--giftsim-fixture", metavar="NAME|FILE", help="default fixture of worlds")
    group.addoption("--giftsim-seed", metavar="N", help="default seed of worlds")
    group.addoption("--giftsim-now", metavar="INSTANT", help="default start time of the worlds' clocks")
    group.addoption("--giftsim-url", metavar="URL", help="use the simulator at this URL for giftsim_server")
    group.addoption(
        "--giftsim-trace",
        metavar="on|retain-on-failure|off",
        choices=TRACES,
        default="retain-on-failure",
        help="write a page with everything that happened to a test's world: of all tests, of failed ones (the default)",
    )
    group.addoption(
        "--giftsim-trace-redact",
        metavar="REGEX",
        action="append",
        help="hide what matches in traces too, besides keys, webhook secrets and claim links; may be repeated",
    )
    _add_reports(group)
    group.addoption("--giftsim-app", metavar="URL", help="the application that `app` steps of scenario files call")
    parser.addini("giftsim_fixture", "default fixture of worlds", default="empty")
    parser.addini("giftsim_seed", "default seed of worlds", default="1")
    parser.addini("giftsim_now", "default start time of the worlds' clocks", default="")
    parser.addini("giftsim_settings", "settings of every world, one NAME = VALUE per line", type="linelist", default=[])
    parser.addini("giftsim_services", "what is simulated, by default all: gifting, museum", type="args", default=[])
    parser.addini("giftsim_scenarios", "collect scenario files as tests", type="bool", default=True)


def _add_reports(group: pytest.OptionGroup) -> None:
    """Add the options of what a run reports about its tests."""
    group.addoption(
        "--giftsim-coverage",
        action="store_true",
        help="report what the tests met of the service, into .giftsim/coverage.json",
    )
    group.addoption(
        "--giftsim-coverage-fail-under",
        metavar="N|AREA=N",
        action="append",
        help="fail if an area, or this area, has less than N per cent of coverage; may be repeated",
    )
    group.addoption(
        "--giftsim-assumptions",
        action="store_true",
        help="run passing tests again with guesses turned over, and report those that lean on one",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, refuse what cannot be called or simulated, and put the traces of earlier runs aside."""
    config.addinivalue_line("markers", "giftsim(fixture=, seed=, now=, settings=): options of the test's world")
    for option, (module, check) in URL_CHECKS.items():
        if url := config.getoption(option):
            try:
                getattr(import_module(module), check)(url)
            except ValueError as error:
                raise pytest.UsageError(f"{option}: {error}") from None
    if config.getini("giftsim_services"):
        _check_services(config)
    _register_runs(config)
    if config.getoption("giftsim_trace") != "off" and not hasattr(config, "workerinput"):
        _put_traces_aside(config)


def _check_services(config: pytest.Config) -> None:
    from giftsim.services.known import UnknownService, read_services

    try:
        read_services(config.getini("giftsim_services"))
    except UnknownService as problem:
        raise pytest.UsageError(f"giftsim_services: {problem.message}") from None


def _put_traces_aside(config: pytest.Config) -> None:
    """Move the traces of the run before into `earlier-1`, and those that are there into `earlier-2`."""
    folder = config.rootpath / ".giftsim" / "traces"
    latest, oldest = (folder / name for name in ("earlier-1", "earlier-2"))
    try:
        if not (traces := [*folder.glob("*.html")]):
            return
        if latest.exists():
            if oldest.exists():
                rmtree(oldest)
            latest.rename(oldest)
        latest.mkdir()
        for path in traces:
            path.rename(latest / path.name)
    except OSError as error:
        from giftsim.testing.never_failing import at_the_end, described

        at_the_end(config)(f"traces of an earlier run could not be put aside: {described(error)}")


def _register_runs(config: pytest.Config) -> None:
    """Register what keeps the coverage of the run, and what finds assumptions."""
    assumptions = config.getoption("giftsim_assumptions")
    if assumptions or config.getoption("giftsim_coverage") or config.getoption("giftsim_coverage_fail_under"):
        from giftsim.testing.coverage_run import NAME, CoverageRun

        run = CoverageRun(config)
        config.pluginmanager.register(run, NAME)
        if assumptions:
            from giftsim.testing.assumptions_run import AssumptionsRun

            config.pluginmanager.register(AssumptionsRun(config, run.met), "giftsim-assumptions")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Write the index of the run's traces, and say where it is. The reports of all workers are here."""
    reports = [report for of_outcome in terminalreporter.stats.values() for report in of_outcome]
    summaries = [summary for report in reports for summary in getattr(report, "giftsim_traces", ())]
    if summaries:
        from giftsim.testing.never_failing import at_the_end, never_failing
        from giftsim.testing.tracing import write_index

        with never_failing("the index of the traces was not written", at_the_end(config)):
            index, count = write_index(config.rootpath, summaries).as_uri(), len(summaries)
            terminalreporter.write_line(f"giftsim: {count} {'trace' if count == 1 else 'traces'}, listed in {index}")
    if "giftsim.testing.never_failing" in sys.modules:
        from giftsim.testing.never_failing import lines_at_the_end

        for line in lines_at_the_end(config):
            terminalreporter.write_line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Keep what a pytest-xdist worker has to say at the end of the run."""
    if lines := getattr(node, "workeroutput", {}).get("giftsim_lines"):
        from giftsim.testing.never_failing import add_lines

        add_lines(node.config, lines)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a pytest-xdist worker where to ask for the servers of the run."""
    from giftsim.testing.shared_server import serve_workers

    config = node.config
    if not hasattr(config, "_giftsim_ports"):
        config._giftsim_ports = serve_workers(config)
    node.workerinput.update(config._giftsim_ports)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """Collect YAML files with a text `scenario:` and `steps:` at their top; ignore all others."""
    if file_path.suffix.lower() not in YAML or not parent.config.getini("giftsim_scenarios"):
        return None
    with file_path.open("rb") as file:
        if b"scenario" not in file.read(SCAN_BYTES):
            return None
    from giftsim.testing.scenario_item import ScenarioFile
    from giftsim.workbench.scenario.scenario_files import read_title

    title = read_title(file_path)
    if title is None:
        return None
    item = ScenarioFile.from_parent(parent, path=file_path)
    item.title = title or file_path.stem
    return item


@pytest.fixture
def giftsim(request: pytest.FixtureRequest) -> Iterator[Giftsim]:
    """A fresh world in this process, deleted after the test."""
    from giftsim.testing.shared_server import simulator
    from giftsim.testing.transport import InProcess

    yield from _fresh_world(request, InProcess(simulator(request.config)))


@pytest.fixture
def giftsim_server(request: pytest.FixtureRequest) -> Iterator[Giftsim]:
    """A fresh world on the run's server, which all workers share; deleted after the test."""
    from giftsim.testing.shared_server import server

    coverage: CoverageRun | None = request.config.pluginmanager.get_plugin("giftsim-coverage")
    coverage = None if _runs_again(request.config) else coverage
    for world in _fresh_world(request, server(request.config)):
        with coverage.of_foreign(world) if coverage else nullcontext():
            yield world


@pytest.fixture
def app_clock(giftsim_server: Giftsim) -> Iterator[AppEnvironment]:
    """The environment of an app in another process, whose clock follows the world of `giftsim_server`."""
    from giftsim.testing.app_environment import app_environment
    from giftsim.workbench.app_clock.app_time import CannotMove

    try:
        with app_environment(giftsim_server) as environment:
            yield environment
    except CannotMove as error:
        pytest.fail(f"app_clock: {error}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Say in the report of a failed test why, with the world's latest calls and webhooks and a link to its trace."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    mode = item.config.getoption("giftsim_trace")
    if _runs_again(item.config):
        return report  # type: ignore[return-value]
    if report.when == "call" and (report.failed or mode == "on") and _WORLDS & getattr(item, "funcargs", {}).keys():
        from giftsim.testing.never_failing import at_the_end, never_failing

        with never_failing("a test's worlds cannot be shown", at_the_end(item.config)):
            from giftsim.testing.tracing import add_worlds

            add_worlds(item, call, report, with_traces=mode != "off")
    return report  # type: ignore[return-value]


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> None:
    """Keep the sides of a comparison that failed in a run with worlds; pytest explains it."""
    if "giftsim.testing.world_for_test" in sys.modules:
        from giftsim.testing.failed_line import note_comparison

        note_comparison(config, op, left, right)


def _runs_again(config: pytest.Config) -> bool:
    """Whether the test runs again with guesses turned over."""
    if not config.getoption("giftsim_assumptions"):
        return False
    from giftsim.testing.shared_server import turned_settings

    return turned_settings(config) is not None


def _fresh_world(request: pytest.FixtureRequest, transport: Transport) -> Iterator[Giftsim]:
    from giftsim.testing.world_for_test import open_world

    if request.config.getoption("giftsim_trace") != "off":
        from giftsim.testing.call_notes import noted

        transport = noted(request.node, transport)
    with open_world(transport, name=request.node.name, **_world_config(request)) as world:
        yield world


def _world_config(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The options of a test's world: from its marker, else the command line, else the ini file."""
    config, options = request.config, dict[str, Any]()
    for name in ("fixture", "seed", "now"):
        options[name] = config.getoption(f"giftsim_{name}") or config.getini(f"giftsim_{name}")
    options["settings"] = dict(_setting(line) for line in config.getini("giftsim_settings"))
    if _runs_again(config):
        from giftsim.testing.shared_server import turned_settings

        options["settings"] = {**(turned_settings(config) or {}), **options["settings"]}
    for marker in reversed(list(request.node.iter_markers("giftsim"))):
        unknown = [name for name in marker.kwargs if name not in WORLD_OPTIONS]
        if unknown or marker.args:
            invalid = unknown or list(marker.args)
            pytest.fail(f"@pytest.mark.giftsim takes {', '.join(WORLD_OPTIONS)}, by name, not {invalid}", pytrace=False)
        settings = {**options["settings"], **marker.kwargs.get("settings", {})}
        options = {**options, **marker.kwargs, "settings": settings}
    options["fixture"] = _fixture(config, options["fixture"])
    try:
        options["seed"] = int(options["seed"])
    except ValueError:
        pytest.fail(f"giftsim_seed must be an integer, not {options['seed']!r}", pytrace=False)
    return {name: value for name, value in options.items() if value not in ("", None)}


def _fixture(config: pytest.Config, fixture: Any) -> Any:
    """A fixture by its name, or the content of a fixture file of the project."""
    if not isinstance(fixture, str) or not fixture.lower().endswith((*YAML, ".json")):
        return fixture
    import yaml

    path = config.rootpath / fixture
    if not path.is_file():
        pytest.fail(f"fixture file not found: {path}", pytrace=False)
    return yaml.safe_load(path.read_bytes())


def _setting(line: str) -> tuple[str, Any]:
    name, separator, value = line.partition("=")
    if not separator:
        pytest.fail(f"giftsim_settings takes lines NAME = VALUE, not {line!r}", pytrace=False)
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value.strip()
