"""The pytest plugin: fixtures `giftsim` and `giftsim_server`, and scenario files as tests. Everything else is imported
when first needed, so that a run which uses none of it pays nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from giftsim.testing import Giftsim
    from giftsim.testing.scenario_item import StoryFile
    from giftsim.testing.transport import Passage

TITLE = re.compile(rb"^scenario[ \t]*:[ \t]*(.*?)[ \t\r]*(?:#[^\n]*)?$", re.MULTILINE)
SNIFFED = 64 * 1024
BIRTH = ("fixture", "seed", "now", "settings")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the run, and settings of the project for what every world begins with."""
    group = parser.getgroup("giftsim", "worlds of the gifting service")
    group.addoption("--giftsim-fixture", metavar="NAME|FILE", help="fixture of every world that names none")
    group.addoption("--giftsim-seed", metavar="N", help="seed of every world that names none")
    group.addoption(
        "--giftsim-now", metavar="INSTANT", help="where the clock of every world begins that names no `now`"
    )
    group.addoption("--giftsim-url", metavar="URL", help="use the simulator that is served there for giftsim_server")
    group.addoption("--giftsim-app", metavar="URL", help="the application that scenario files with `app` steps call")
    parser.addini("giftsim_fixture", "fixture of every world that names none", default="empty")
    parser.addini("giftsim_seed", "seed of every world that names none", default="1")
    parser.addini("giftsim_now", "where the clock of every world begins that names no `now`", default="")
    parser.addini("giftsim_settings", "settings of every world, NAME = VALUE a line", type="linelist", default=[])
    parser.addini("giftsim_scenarios", "collect scenario files as tests", type="bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", "giftsim(fixture=, seed=, now=, settings=): what the test's world begins with")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where to ask for the one server of the run."""
    from giftsim.testing.shared_server import Desk, Hosting

    config = node.config
    if not hasattr(config, "_giftsim_desk"):
        hosting = Hosting()
        config._giftsim_desk = desk = Desk(hosting)
        config.add_cleanup(hosting.close)
        config.add_cleanup(desk.close)
    node.workerinput["giftsim_desk"] = config._giftsim_desk.port


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> StoryFile | None:
    """Take YAML files with a `scenario:` at the top level as tests, and leave all others alone."""
    if file_path.suffix not in (".yaml", ".yml") or not parent.config.getini("giftsim_scenarios"):
        return None
    with file_path.open("rb") as file:
        found = TITLE.search(file.read(SNIFFED))
    if found is None:
        return None
    from giftsim.testing.scenario_item import StoryFile

    story = StoryFile.from_parent(parent, path=file_path)
    story.title = found[1].decode("utf-8", "replace").strip("'\"") or file_path.stem
    return story


@pytest.fixture
def giftsim(request: pytest.FixtureRequest) -> Iterator[Giftsim]:
    """A fresh world of a simulator in this process, deleted after the test."""
    from giftsim.testing.session import simulator
    from giftsim.testing.transport import InProcess

    yield from _fresh(request, InProcess(simulator(request.config)))


@pytest.fixture
def giftsim_server(request: pytest.FixtureRequest) -> Iterator[Giftsim]:
    """A fresh world of the one server of the run, which all workers share, deleted after the test."""
    from giftsim.testing.session import server

    yield from _fresh(request, server(request.config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Below a test that failed, show its world: when it is there, and what was called and sent last."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    if report.when == "call" and report.failed:
        for name in ("giftsim", "giftsim_server"):
            handle = getattr(item, "funcargs", {}).get(name)
            if handle is not None:
                report.sections.append((f"{name}: world {handle.world}", handle.seen()))
    return report  # type: ignore[return-value]


def _fresh(request: pytest.FixtureRequest, passage: Passage) -> Iterator[Giftsim]:
    from giftsim.testing.world import world

    with world(passage, **_birth(request)) as handle:
        yield handle


def _birth(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the world of a test begins with: its marker's word, else the command line's, else the project's."""
    config, told = request.config, dict[str, Any]()
    for name in ("fixture", "seed", "now"):
        told[name] = config.getoption(f"giftsim_{name}") or config.getini(f"giftsim_{name}")
    told["settings"] = dict(_setting(line) for line in config.getini("giftsim_settings"))
    for marker in reversed(list(request.node.iter_markers("giftsim"))):
        unknown = [name for name in marker.kwargs if name not in BIRTH]
        if unknown or marker.args:
            wrong = unknown or list(marker.args)
            pytest.fail(f"@pytest.mark.giftsim takes {', '.join(BIRTH)}, by name, not {wrong}", pytrace=False)
        settings = {**told["settings"], **marker.kwargs.get("settings", {})}
        told = {**told, **marker.kwargs, "settings": settings}
    told["fixture"] = _fixture(config, told["fixture"])
    try:
        told["seed"] = int(told["seed"])
    except ValueError:
        pytest.fail(f"giftsim_seed is a whole number, not {told['seed']!r}", pytrace=False)
    return {name: value for name, value in told.items() if value not in ("", None)}


def _fixture(config: pytest.Config, named: Any) -> Any:
    """A fixture of the simulator by its name, or a file of the project written out."""
    if not isinstance(named, str) or not named.endswith((".yaml", ".yml", ".json")):
        return named
    import yaml

    path = config.rootpath / named
    if not path.is_file():
        pytest.fail(f"there is no fixture file {path}", pytrace=False)
    return yaml.safe_load(path.read_bytes())


def _setting(line: str) -> tuple[str, Any]:
    name, found, value = line.partition("=")
    if not found:
        pytest.fail(f"a line of giftsim_settings is NAME = VALUE, not {line!r}", pytrace=False)
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value.strip()
