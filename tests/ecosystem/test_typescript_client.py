"""The TypeScript client: its own tests, its package, and projects that use the package with each test runner."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.services.known import merged_service
from giftsim.workbench.coverage.items import AREAS, items_of
from giftsim.workbench.coverage.next_steps import NextSteps
from giftsim.workbench.recording.as_test import NotATest, write_test
from giftsim.workbench.trace.file import read_trace_file
from tests.support.library import SCENARIOS
from tests.support.node_packages import node_packages, node_project, run_node
from tests.support.python_tools import INSTALLERS, build_wheel, installed_tools
from tests.support.recorded_session import recorded_session
from tests.support.served_simulator import serve_simulator
from tests.support.waiting import wait_until
from tests.support.worlds import World

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "typescript"
PROJECTS = Path(__file__).with_name("typescript")
SKILL = ".agents/skills/giftsim/SKILL.md"
OLDEST_VITEST = Path(__file__).with_name("vitest4")
OWN = ("src", "test", "scripts")
INTERFACES = ("control", "museum", "partner", "team")
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
STARTED = """
import { ConnectionFailed, start } from 'giftsim'

const simulator = await start({ from: process.argv[2] })
const { version, status } = await simulator.health()
console.log(version, status)
await simulator.stop()
const error = await simulator.health().catch((error) => error)
console.log(error instanceof ConnectionFailed ? 'stopped' : 'still there')
"""


# Ends as its argument says, and prints the address first.
ENDING = """
import { start } from 'giftsim'

const simulator = await start({ command: process.argv.slice(3) })
console.log(simulator.url, (await simulator.health()).status)
if (process.argv[2] === 'stops') await simulator.stop()
if (process.argv[2] === 'is killed') process.kill(process.pid, 'SIGKILL')
"""
PATIENT = "--test-timeout=120000"  # on a busy machine, where Vitest's own 5 s are too few
# Where npm's packages have the programs, whose own names in `.bin` need scripts at the installation; and their options.
RUNTIMES = {"bun": ("@oven/bun-*/bin/bun", "run"), "deno": ("@deno/*/deno", "run", "--allow-all")}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a simulator."""
    with serve_simulator() as served:
        yield served.banner["origin"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client with what its lock pins."""
    files = (CLIENT / name for name in ("tsconfig.json", "README.md", "LICENSE", ".npmrc"))
    folder = node_project(tmp_path_factory.mktemp("client"), *files, tree=CLIENT)
    for name in OWN:
        shutil.copytree(CLIENT / name, folder / name, ignore=shutil.ignore_patterns("generated"))
    return folder


@pytest.fixture(scope="module")
def packed(client: Path) -> tuple[Path, list[str]]:
    """The package as `npm pack` makes it, and the names of the files in it."""
    [made] = json.loads(run_in_copy(client, "npm", "pack", "--json", "--loglevel=error"))
    return client / made["filename"], sorted(file["path"] for file in made["files"])


@pytest.fixture(scope="module")
def project(packed: tuple[Path, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's project that has the package, Vitest and Node's types installed, and compiled tests in `out`."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(PROJECTS, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}')
    modules = folder / "node_modules"
    (modules / "@types").mkdir(parents=True)
    for name in ("vitest", "@types/node", "typescript", ".bin"):
        (modules / name).symlink_to(node_packages(CLIENT) / name)
    shutil.unpack_archive(packed[0], folder)
    (folder / "package").rename(modules / "giftsim")
    run_node(folder, "tsc", "-p", ".")
    return folder


@pytest.mark.parametrize("runtime", ["node", *RUNTIMES])
@pytest.mark.parametrize("ending", ["stops", "ends", "is killed"])
def test_no_runtime_leaves_a_simulator_behind(project: Path, runtime: str, ending: str) -> None:
    (project / "ending.mjs").write_text(ENDING)
    place, *options = RUNTIMES.get(runtime, ("",))
    program = str(next(node_packages().glob(place))) if place else "node"
    command = [program, *options, "ending.mjs", ending, sys.executable, str(ROOT / "run_sim.py")]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=500, check=False)
    assert (done.returncode == 0) == (ending != "is killed"), done.stderr
    url, status = done.stdout.split()
    assert status == "ready"
    wait_until(lambda: not listens(url))


def listens(url: str) -> bool:
    """Whether anything accepts connections at an address."""
    with socket.socket() as probe:
        return probe.connect_ex((urlsplit(url).hostname, urlsplit(url).port)) == 0


@pytest.mark.usefixtures("packed")
def test_types_of_another_contract_are_generated_again_and_the_others_stay(client: Path) -> None:
    files = [client / "src" / "generated" / f"{name}.ts" for name in INTERFACES]
    made = [file.read_text(encoding="utf-8") for file in files]
    files[1].write_text(
        re.sub("from [0-9a-f]{16}", f"from {'0' * 16}", made[1]) + "export type Old = 1\n", encoding="utf-8"
    )
    files[2].unlink()
    times = [file.stat().st_mtime_ns for file in (files[0], files[3])]
    run_in_copy(client, "npm", "run", "generate")
    assert [file.read_text(encoding="utf-8") for file in files] == made
    assert [file.stat().st_mtime_ns for file in (files[0], files[3])] == times


def test_its_own_tests_pass_against_a_simulator(client: Path, url: str) -> None:
    output = run_in_copy(client, "npm", "test", GIFTSIM_URL=url, NODE_OPTIONS="--test-reporter=spec")
    assert re.search(r"fail 0\n", output), output
    assert re.search(r"skipped 0\n", output), output


def test_its_sources_are_formatted_and_their_types_strict(client: Path) -> None:
    run_in_copy(client, "npm", "run", "lint")
    assert json.loads((CLIENT / "tsconfig.json").read_text(encoding="utf-8"))["compilerOptions"]["strict"] is True


def test_the_package_has_what_belongs_to_it_and_nothing_else(packed: tuple[Path, list[str]]) -> None:
    written = [file.relative_to(CLIENT / "src").with_suffix("") for file in (CLIENT / "src").rglob("*.ts")]
    sources = {*written, *(Path("generated", name) for name in INTERFACES)}
    compiled = [f"dist/{source}{suffix}" for source in sources for suffix in (".js", ".d.ts")]
    assert packed[1] == sorted([*compiled, SKILL, "LICENSE", "README.md", "package.json"])


def test_the_package_is_fit_to_be_published(client: Path, packed: tuple[Path, list[str]]) -> None:
    assert "All good!" in run_node(client, "publint", "--strict", str(packed[0]))


def test_the_package_has_the_version_of_the_simulator_and_needs_no_other_package() -> None:
    package = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((CLIENT / "package-lock.json").read_text(encoding="utf-8"))
    assert package["version"] == lock["version"] == VERSION
    assert "dependencies" not in package
    assert package["peerDependenciesMeta"] == {"vitest": {"optional": True}}
    assert (CLIENT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_project_that_checks_every_declaration_compiles(project: Path) -> None:
    run_node(project, "tsc", "-p", ".", "--noEmit", "--skipLibCheck", "false")


def test_node_s_runner_shows_the_latest_calls_of_a_failed_test_s_world(project: Path, url: str) -> None:
    output = failed(project, "node", "--test", "--test-reporter=spec", "out/node_test/gifts.test.js", url=url)
    assert re.search(r"pass 2\n.*fail 1\n", output, re.DOTALL), output
    assert_shows_calls(project, output)


def test_vitest_shows_the_latest_calls_of_a_failed_test_s_world(project: Path, url: str) -> None:
    output = failed(project, "vitest", "run", PATIENT, "vitest/gifts.test.ts", url=url)
    assert "1 failed | 2 passed" in output
    assert_shows_calls(project, output)


def test_the_oldest_vitest_that_the_package_allows_shows_them_too(project: Path, url: str, tmp_path: Path) -> None:
    folder = shutil.copytree(project, tmp_path / "project", symlinks=True, ignore=shutil.ignore_patterns(".giftsim"))
    (folder / "node_modules" / "vitest").unlink()
    (folder / "node_modules" / "vitest").symlink_to(node_packages(OLDEST_VITEST) / "vitest")
    package = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
    installed = json.loads((folder / "node_modules" / "vitest" / "package.json").read_text(encoding="utf-8"))
    assert package["peerDependencies"] == {"vitest": f">={installed['version']}"}
    output = failed(folder, "node", "node_modules/vitest/vitest.mjs", "run", PATIENT, "vitest/gifts.test.ts", url=url)
    assert "1 failed | 2 passed" in output
    assert_shows_calls(folder, output)


def test_the_traces_of_the_last_three_runs_that_left_any_are_kept(project: Path, url: str, tmp_path: Path) -> None:
    folder = shutil.copytree(project, tmp_path / "project", symlinks=True, ignore=shutil.ignore_patterns(".giftsim"))
    run = ("node", "node_modules/giftsim/dist/bin/with-giftsim.js", "node")
    left = []
    for _ in range(4):
        failed(folder, *run, "--test", "out/node_test/gifts.test.js", url=url)
        left.append(traces_in(folder))
        run_node(folder, *run, "--version", GIFTSIM_URL=url)  # leaves none
        assert traces_in(folder) == []
        assert traces_in(folder, "earlier-1") == left[-1]
    assert len({name for names in left for name in names}) == 4
    assert traces_in(folder, "earlier-2") == left[2]
    failed(folder, *run, "--test", "out/node_test/gifts.test.js", url=url)
    assert [len(traces_in(folder, *name)) for name in ((), ("earlier-1",), ("earlier-2",))] == [1, 1, 1]


def test_with_giftsim_moves_the_time_of_its_command(project: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(project, tmp_path / "project", symlinks=True, ignore=shutil.ignore_patterns(".giftsim"))
    app = """
    const day = () => new Date().toISOString().slice(0, 10)
    const first = day()
    await fetch(`${process.env.GIFTSIM_CONTROL}/clock/advance`, {
      method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({by: '10d'}) })
    console.log(first, day())
    """
    (folder / "app.mjs").write_text(app, encoding="utf-8")
    program = ("node_modules/giftsim/dist/bin/with-giftsim.js", "--app-clock")
    said = run_node(folder, "node", *program, "node", "app.mjs", PATH=with_giftsim())
    assert said.split()[-2:] == ["2027-01-04", "2027-01-14"]
    said = run_node(folder, "node", *program, "--coverage", "node", "app.mjs", PATH=with_giftsim())
    assert "2027-01-04 2027-01-14" in said
    assert "operations" in said


def with_giftsim() -> str:
    """The PATH with the command `giftsim` of this checkout."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def traces_in(folder: Path, *names: str) -> list[str]:
    """The names of the traces in a folder of `.giftsim/traces`."""
    return sorted(file.name for file in folder.joinpath(".giftsim", "traces", *names).glob("*.html"))


def test_the_tests_of_next_steps_compile_and_a_sample_of_them_meets_its_gaps(project: Path, url: str) -> None:
    steps = project / "steps"
    steps.mkdir()
    (steps / "tsconfig.json").write_text('{"extends": "../tsconfig.json", "include": ["*.ts"]}')
    sample = []
    for number, (area, test) in enumerate(vitest_skeletons()):
        file = steps / f"{area}_{number}.test.ts"
        file.write_text(test, encoding="utf-8")
        if number % {"errors": 40, "operations": 5, "transitions": 4}.get(area, 1) == 0:
            sample.append(f"steps/{file.name}")
    run_node(project, "tsc", "-p", "steps", "--noEmit", timeout_s=280)
    output = run_node(project, "vitest", "run", "--no-isolate", PATIENT, *sample, timeout_s=280, GIFTSIM_URL=url)
    assert f"{len(sample)} passed" in output


def vitest_skeletons() -> Iterator[tuple[str, str]]:
    """The area of each item that an app can meet, and the test that is to be pasted for it."""
    items = items_of(merged_service())
    steps = NextSteps(items)
    return ((area, steps.step(area, name)["vitest"]) for area in AREAS for name in items.names(area))


def test_a_recording_becomes_a_test_that_compiles_and_passes(project: Path, url: str) -> None:
    folder = project / "recorded"
    folder.mkdir()
    (folder / "tsconfig.json").write_text('{"extends": "../tsconfig.json", "include": ["*.ts"]}')
    with closing(Simulator(fixture="bare")) as simulator:
        for name, fixture in (("whole", "empty"), ("inline", {"extends": "empty"})):
            recording = recorded_session(World(simulator, fixture=fixture))
            (folder / f"{name}.yaml").write_text(recording, encoding="utf-8")
    for arguments in (("whole", "whole.test.ts"), ("whole", "plain.test.mjs"), ("inline", "inline.test.ts")):
        source, out = (str(folder / name) for name in (f"{arguments[0]}.yaml", arguments[1]))
        done = CliRunner().invoke(main, ["record", "--as", "vitest", "--from", source, "--out", out])
        assert done.exit_code == 0, done.output
    run_node(project, "tsc", "-p", "recorded", "--noEmit", "--noUncheckedIndexedAccess")
    output = run_node(project, "vitest", "run", "--no-isolate", PATIENT, "recorded", GIFTSIM_URL=url)
    assert "3 passed" in output
    written = (folder / "whole.test.ts").read_text(encoding="utf-8")
    for told, other in (("world.advance('3d')", "world.advance('1h')"), ("'sku_not_found'", "'sku_retired'")):
        (folder / "whole.test.ts").write_text(written.replace(told, other), encoding="utf-8")
        with pytest.raises(AssertionError, match="1 failed"):
            run_node(project, "vitest", "run", PATIENT, "recorded/whole", GIFTSIM_URL=url)


def test_the_library_as_tests_compiles_and_passes(project: Path, url: str) -> None:
    folder = project / "library"
    folder.mkdir()
    (folder / "tsconfig.json").write_text('{"extends": "../tsconfig.json", "include": ["*.ts"]}')
    with closing(Simulator(fixture="bare")) as simulator:
        for file in SCENARIOS:
            out = f"{file.parent.name}_{file.stem}.test.ts"
            with suppress(NotATest):
                text = write_test(file.read_bytes(), "it", "vitest", out, VERSION, simulator.client, path=file)
                (folder / out).write_text(text, encoding="utf-8")
    written = len(list(folder.glob("*.test.ts")))
    assert written > 0.9 * len(SCENARIOS)
    run_node(project, "tsc", "-p", "library", "--noEmit", "--noUncheckedIndexedAccess", timeout_s=280)
    output = run_node(project, "vitest", "run", "--no-isolate", PATIENT, "library", timeout_s=280, GIFTSIM_URL=url)
    assert f"{written} passed" in output


def test_it_starts_the_wheel_by_uvx_and_stops_it(project: Path, tmp_path: Path) -> None:
    (project / "started.mjs").write_text(STARTED)
    path = os.pathsep.join([str(installed_tools(INSTALLERS)), os.environ["PATH"]])
    uv = {"UV_CACHE_DIR": str(ROOT / ".cache" / "uv"), "UV_NO_CONFIG": "1", "UV_PYTHON": sys.executable}
    output = run_node(project, "node", "started.mjs", str(build_wheel(tmp_path)), timeout_s=500, PATH=path, **uv)
    assert output == f"{VERSION} ready\nstopped\n"


def test_the_tests_leave_no_world_behind(project: Path) -> None:
    with serve_simulator() as served:
        failed(project, "node", "--test", "out/node_test/gifts.test.js", url=served.banner["origin"])
        worlds = json.loads(served.client.call("GET", "/_sim/v1/worlds").body)["worlds"]
    assert [world["id"] for world in worlds] == ["default"]


def assert_shows_calls(project: Path, output: str) -> None:
    at = "2027-01-04T09:00:00Z"
    hostile = re.escape(r"GET /api/external/skus/1\u{a}forged\u{1b}[1A\u{2028}")
    shown = (
        rf"world w\d+ at {at}, calls so far: 2\n +{at}  {hostile} -> 4..\n +{at}  POST /api/external/team-orders -> 201"
    )
    assert re.search(shown, output), output
    assert re.search(r"\n *why: .*order 1001.*\n *mend: ", output), output
    found = re.search(r"trace: file://(\S+/\.giftsim/traces/fails_on_purpose-w\d+\.html)", output)
    assert found, output
    trace = read_trace_file(Path(found[1]).read_bytes())
    assert (trace["test"]["outcome"], trace["entries"][-1]["kind"]) == ("failed", "failure")
    assert trace["test"]["ran"]["from"] <= trace["test"]["ran"]["to"]
    assert (project / ".giftsim" / ".gitignore").read_text().endswith("*\n")


def run_in_copy(client: Path, *command: str, **variables: str) -> str:
    """Run a command in a copy of the client, which finds the project by these variables."""
    return run_node(
        client, *command, GIFTSIM_CHECKOUT=str(ROOT), GIFTSIM_PYTHON=sys.executable, timeout_s=500, **variables
    )


def failed(folder: Path, *command: str, url: str) -> str:
    """The output of a test run that ends with 1, since a test of it fails on purpose."""
    path = os.pathsep.join([str(folder / "node_modules" / ".bin"), os.environ["PATH"]])
    done = subprocess.run(
        command, cwd=folder, env={"PATH": path, "GIFTSIM_URL": url, "NO_COLOR": "1"},
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout + done.stderr
