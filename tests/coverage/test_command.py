"""`giftsim coverage`: worlds of a running simulator, files that are merged, settings and the gate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.workbench.trace.file import pack_page, unpack_page
from tests.support.orders import RENO
from tests.support.worlds import World


@pytest.fixture
def served() -> Iterator[Simulator]:
    """A simulator that listens."""
    simulator = Simulator(fixture="empty")
    simulator.serve_locally()
    yield simulator
    simulator.close()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(simulator: Simulator, *arguments: object) -> Result:
    """Run the command to its end."""
    url = simulator.registry.runtime.origin
    return CliRunner().invoke(main, ["coverage", "--url", url, *map(str, arguments)])


def report(simulator: Simulator, *arguments: object) -> Any:
    """What the command prints as JSON."""
    result = run(simulator, "--json", *arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def write(simulator: Simulator, name: str, world: World) -> Path:
    """A file with the coverage of a world."""
    run(simulator, "-w", world.id, "--out", name)
    return Path(name, "coverage.json")


def test_a_world_several_worlds_or_all(served: Simulator) -> None:
    orders, webhooks, other = (World(served, fixture="empty") for _ in range(3))
    orders.partner().create_order()
    webhooks.partner().get("/webhooks")
    other.partner().get("/team-orders")
    both = report(served, "-w", orders.id, "-w", webhooks.id)
    assert both["areas"]["operations"]["met"] == ["createTeamOrder", "listWebhooks"]
    assert report(served, "-w", orders.id)["areas"]["operations"]["met"] == ["createTeamOrder"]
    assert report(served)["areas"]["operations"]["met"] == ["createTeamOrder", "listTeamOrders", "listWebhooks"]


def test_files_are_merged_like_their_worlds(served: Simulator) -> None:
    orders, webhooks = (World(served, fixture="empty") for _ in range(2))
    orders.partner().create_order()
    webhooks.partner().subscribe("team_order.shipped")
    files = [write(served, "a", orders), write(served, "b", webhooks)]
    served.close()  # files need no simulator
    merged = report(served, *files)
    assert merged["areas"]["operations"]["met"] == ["createTeamOrder", "createWebhook"]
    assert merged["areas"]["events"]["missing"] == ["team_order.shipped"]
    assert merged == report(served, *reversed(files))


def test_a_trace_is_played_again(served: Simulator, folder: Path) -> None:
    world = World(served, fixture="empty")
    world.partner().subscribe("team_order.claimed")
    order = world.partner().create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("2h")
    (folder / "trace.html").write_bytes(world.control.get(f"/worlds/{world.id}/trace").body)
    assert report(served, "trace.html") == report(served, "-w", world.id)


def test_a_trace_without_a_recording_is_refused(served: Simulator, folder: Path) -> None:
    trace = World(served, fixture="empty").control.get("/worlds/default/trace").body
    (folder / "trace.html").write_bytes(pack_page(unpack_page(trace).replace(b'"recording"', b'"recorded"'), "changed"))
    result = run(served, "trace.html")
    assert (result.exit_code, "trace.html: the trace has no recording" in result.output) == (2, True)


def test_a_table_with_what_is_missing_and_the_files(served: Simulator) -> None:
    world = World(served, fixture="empty")
    world.partner().create_order()
    result = run(served, "-w", world.id, "--missing", "--out", "kept")
    lines = result.output.splitlines()
    assert lines[0].split() == ["area", "met", "missing", "apart", "percent"]
    assert lines[1].split() == ["operations", "1", "4", "91", "20.0", "%"]
    assert "  createTeamOrder 402 insufficient_funds" in lines
    assert lines[-2:] == ["kept/coverage.json", "kept/coverage.html"]


def test_a_page_in_a_file(served: Simulator, folder: Path) -> None:
    world = World(served, fixture="empty")
    world.partner().create_order()
    assert run(served, "-w", world.id, "--html", "page.html").output.endswith("page.html\n")
    assert b"createTeamOrder 402 insufficient_funds" in (folder / "page.html").read_bytes()


@pytest.mark.parametrize(
    ("gate", "status"), [("20", 1), ("operations=20", 0), ("operations=20.1", 1), ("events=100", 0)]
)
def test_the_exit_status_is_that_of_the_gate(served: Simulator, gate: str, status: int) -> None:
    world = World(served, fixture="empty")
    world.partner().create_order()
    result = run(served, "-w", world.id, "--fail-under", gate)
    assert result.exit_code == status
    assert ("below" in result.output) == bool(status)


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("operatoins=4", "there is no area 'operatoins'; did you mean operations?"),
        ("much", "it takes a percentage from 0 to 100, or AREA=PERCENTAGE, not 'much'"),
        ("101", "it takes a percentage from 0 to 100, or AREA=PERCENTAGE, not '101'"),
    ],
)
def test_a_gate_that_is_none_is_refused(served: Simulator, gate: str, message: str) -> None:
    result = run(served, "--fail-under", gate)
    assert (result.exit_code, f"--fail-under: {message}" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('operations = ["createTeamOder"]', "operations: there is no 'createTeamOder'; did you mean createTeamOrder?"),
        ('interfaces = ["partners"]', "interfaces: there is no 'partners'; did you mean partner?"),
        ('events = ["order.lost"]', "events: there is no 'order.lost'; did you mean order."),
        ("operation = []", "has no 'operation'; did you mean operations?"),
        ("operations = 5", "Expected `array`, got `int`"),
    ],
)
def test_settings_that_name_nothing_are_refused(served: Simulator, folder: Path, line: str, message: str) -> None:
    (folder / "giftsim.toml").write_text(f"[coverage]\n{line}\n", encoding="utf-8")
    result = run(served)
    assert result.exit_code == 2
    assert f"giftsim.toml: [coverage] {message}" in result.output


def test_settings_of_a_file_of_choice(served: Simulator, folder: Path) -> None:
    world = World(served, fixture="empty")
    world.partner().create_order()
    (folder / "giftsim.toml").write_text("[coverage]\ninterfaces = ['partner']\n", encoding="utf-8")
    (folder / "other.toml").write_text("[coverage]\noperations = ['get*']\n", encoding="utf-8")
    assert report(served, "-w", world.id)["areas"]["operations"]["met"] == []
    operations = report(served, "-w", world.id, "--settings", "other.toml")["areas"]["operations"]
    assert (operations["met"], operations["missing"]) == (["createTeamOrder"], ["cancelTeamOrder", "listTeamOrders"])


def test_a_settings_file_that_is_not_toml_is_refused(served: Simulator, folder: Path) -> None:
    (folder / "giftsim.toml").write_text("[coverage\n", encoding="utf-8")
    result = run(served)
    assert (result.exit_code, "giftsim.toml: Expected ']'" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", 'is not a coverage.json of giftsim: it has no "version" and "met"'),
        ("[1]", "is not a coverage.json of giftsim: Expected `object`, got `array`"),
        ("no JSON", "is not a coverage.json of giftsim: JSON is malformed"),
        ('{"version": 99, "met": {}}', "is a coverage of version 99, not 1"),
        ('{"version": 1, "met": {"operations": 5}}', "is not a coverage.json of giftsim: Expected `array`"),
    ],
)
def test_a_file_that_is_not_coverage_is_refused(served: Simulator, folder: Path, content: str, message: str) -> None:
    (folder / "some.json").write_text(content, encoding="utf-8")
    result = run(served, "some.json")
    assert (result.exit_code, f"some.json {message}" in result.output) == (2, True), result.output


def test_a_world_that_does_not_exist_is_refused(served: Simulator) -> None:
    result = run(served, "-w", "nowhere")
    assert (result.exit_code, "there is no world 'nowhere'" in result.output) == (1, True)


def test_the_next_step_of_a_gap_is_printed_to_be_pasted(served: Simulator) -> None:
    World(served, fixture="empty").partner().create_order()
    gap = "createTeamOrder 402 insufficient_funds"
    printed = run(served, "--next", gap).stdout
    comment, first, *_ = printed.splitlines()
    assert comment.startswith('# verb: simulate/account {"key": "partner.prepaid", "wallet_cents": 0')
    assert first == "def test_create_team_order_402_insufficient_funds(giftsim):"
    compile(printed, "test_pasted.py", "exec")
    assert "import { test } from 'giftsim/vitest'" in run(served, "--next", gap, "--vitest").stdout
    result = run(served, "--next", "createTeamOrder 402 insufficient_fund")
    assert result.exit_code == 2
    assert f"is not missing; did you mean {gap}?" in result.stderr


def test_no_call_is_said_with_the_same_status(served: Simulator) -> None:
    for arguments in ((), ("--json",)):
        result = run(served, *arguments)
        assert result.exit_code == 0
        assert "no call came: no operation of the service was called" in result.output
    World(served, fixture="empty").partner().get("/team-orders")
    served.keep_coverage(all_worlds=True)
    assert "no call came" not in run(served).output
