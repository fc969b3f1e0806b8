"""`giftsim play --exact` and `giftsim serve` with the file of a trace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.cli.serve import SimulatorServer
from giftsim.cli.serve_command import serve
from giftsim.workbench.trace.file import pack_page, unpack_page
from tests.support.orders import RENO
from tests.support.traces import entries, trace_of
from tests.support.worlds import ExistingWorld, World


@pytest.fixture
def file(world: World, tmp_path: Path) -> Path:
    """The trace of a world in which a mug was claimed and time went on."""
    order = world.partner().create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("10d")
    path = tmp_path / "trace.html"
    path.write_bytes(world.control.get(f"/worlds/{world.id}/trace").body)
    return path


def run(*arguments: object) -> Result:
    """Run a command to its end."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def served(*arguments: object) -> Iterator[ExistingWorld]:
    """The default world of a simulator that is started with these options."""
    options = serve.make_context("serve", ["--port", "0", *map(str, arguments)]).params
    del options["control_token_file"]
    server = SimulatorServer(**options)
    yield ExistingWorld(server.simulator, "default")
    server.close()


def test_replay_plays_the_recording_of_a_trace(file: Path) -> None:
    result = run("play", "--exact", file)
    assert result.exit_code == 0
    assert result.output.startswith(f"same: {file}, ")


def test_replay_shows_what_differs(file: Path) -> None:
    data = unpack_page(file.read_bytes()).replace(b"2600,", b"2601,")
    file.write_bytes(pack_page(data, "changed"))
    result = run("play", "--exact", file)
    assert result.exit_code == 1
    assert f"different: {file}:" in result.output


def test_replay_refuses_a_trace_of_a_later_version(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b'data-version="1"', b'data-version="2"'))
    result = run("play", "--exact", file)
    assert result.exit_code == 2
    assert "a later version of giftsim wrote it" in result.output


def test_serve_makes_the_default_world_as_it_was_after_an_entry(world: World, file: Path) -> None:
    [shipped] = entries(trace_of(world), "timer", "handed to the carrier")
    for found in served("--trace", file, "--at", shipped["n"]):
        assert found.now == shipped["at"]
        assert [order["status"] for order in found.rows("orders")] == ["shipped"]
        assert found.partner().read_order(1001)["team_order"]["status"] == "shipped"
        found.advance("5d")
        assert [order["status"] for order in found.rows("orders")] == ["delivered"]


def test_serve_makes_the_whole_world_without_a_place(world: World, file: Path) -> None:
    for found in served("--trace", file):
        assert found.fingerprint() == world.fingerprint()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at", "3"), "only --trace takes it"),
        (("--trace", "FILE", "--seed", "2"), "a trace has its own"),
        (("--trace", "FILE", "--clock", "manual"), "a trace has its own"),
        (("--trace", "FILE", "--at", "99"), "not 99"),
    ],
)
def test_serve_refuses_what_cannot_take_effect(file: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run("serve", "--port", "0", *(str(file) if each == "FILE" else each for each in arguments))
    assert result.exit_code == 2
    assert message in result.output


def test_serve_refuses_an_empty_trace(tmp_path: Path) -> None:
    file = tmp_path / "empty.html"
    file.touch()
    result = run("serve", "--port", "0", "--trace", file)
    assert (result.exit_code, f"--trace {file}: the trace cannot be read" in result.output) == (2, True)
