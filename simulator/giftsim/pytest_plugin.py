"""The pytest plugin: fixtures `giftsim` and `giftsim_server`, and scenario files as tests.

Everything else is imported at the first use, so a run that uses none of it pays nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from giftsim.testing import Giftsim
    from giftsim.testing.scenario_item import ScenarioFile
    from giftsim.testing.transport import Transport

YAML = (".yaml", ".yml")
SCAN_BYTES = 64 * 1024
# Each is imported only for a run that has the option.
URL_CHECKS = {
    "--giftsim-url": ("giftsim.testing.transport", "check_origin"),
    "--giftsim-app": ("giftsim.scenario", "check_app_url"),
}
WORLD_OPTIONS = ("fixture", "seed", "now", "settings")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add command-line options and ini settings for the worlds of tests."""
    group = parser.getgroup("giftsim", "worlds of the gifting service")
    group.addoption("--giftsim-fixture", metavar="NAME|FILE", help="default fixture of worlds")
    group.addoption("--giftsim-seed", metavar="N", help="default seed of worlds")
    group.addoption("--giftsim-now", metavar="INSTANT", help="default start time of the worlds' clocks")
    group.addoption("--giftsim-url", metavar="URL", help="use the simulator at this URL for giftsim_server")
    group.addoption("--giftsim-app", metavar="URL", help="the application that `app` steps of scenario files call")
    parser.addini("giftsim_fixture", "default fixture of worlds", default="empty")
    parser.addini("giftsim_seed", "default seed of worlds", default="1")
    parser.addini("giftsim_now", "default start time of the worlds' clocks", default="")
    parser.addini("giftsim_settings", "settings of every world, one NAME = VALUE per line", type="linelist", default=[])
    parser.addini("giftsim_scenarios", "collect scenario files as tests", type="bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and refuse URLs that cannot be called."""
    config.addinivalue_line("markers", "giftsim(fixture=, seed=, now=, settings=): options of the test's world")
    for option, (module, check) in URL_CHECKS.items():
        if url := config.getoption(option):
            try:
                getattr(import_module(module), check)(url)
            except ValueError as error:
                raise pytest.UsageError(f"{option}: {error}") from None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a pytest-xdist worker where to ask for the run's server."""
    from giftsim.testing.shared_server import OriginService, ServerProcess

    config = node.config
    if not hasattr(config, "_giftsim_origin_service"):
        process = ServerProcess()
        config._giftsim_origin_service = service = OriginService(process)
        config.add_cleanup(process.close)
        config.add_cleanup(service.close)
    node.workerinput["giftsim_origin_port"] = config._giftsim_origin_service.port


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """Collect YAML files with a text `scenario:` and `steps:` at their top; ignore all others."""
    if file_path.suffix.lower() not in YAML or not parent.config.getini("giftsim_scenarios"):
        return None
    with file_path.open("rb") as file:
        if b"scenario" not in file.read(SCAN_BYTES):
            return None
    from giftsim.scenario.scenario_files import read_title
    from giftsim.testing.scenario_item import ScenarioFile

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

    yield from _fresh_world(request, server(request.config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Add the world's latest calls and webhooks to the report of a failed test."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    if report.when == "call" and report.failed:
        for name in ("giftsim", "giftsim_server"):
            world = getattr(item, "funcargs", {}).get(name)
            if world is not None:
                report.sections.append((f"{name}: world {world.world}", world.summary()))
    return report  # type: ignore[return-value]


def _fresh_world(request: pytest.FixtureRequest, transport: Transport) -> Iterator[Giftsim]:
    from giftsim.testing.world import open_world

    with open_world(transport, **_world_config(request)) as world:
        yield world


def _world_config(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The options of a test's world: from its marker, else the command line, else the ini file."""
    config, options = request.config, dict[str, Any]()
    for name in ("fixture", "seed", "now"):
        options[name] = config.getoption(f"giftsim_{name}") or config.getini(f"giftsim_{name}")
    options["settings"] = dict(_setting(line) for line in config.getini("giftsim_settings"))
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
