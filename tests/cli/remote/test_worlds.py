"""`giftsim worlds` and `open`, the choice of a simulator, and completion in the shell."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.control.access import Access
from tests.cli.remote.conftest import CommandLine
from tests.support.listening import listening


def test_worlds_are_created_forked_reset_and_deleted(command_line: CommandLine) -> None:
    command_line.world.partner().create_order()
    made = command_line.json("worlds", "create", "mine", "--fixture", "empty", "--seed", "7")
    assert (made["id"], made["seed"]) == ("mine", 7)
    fork = command_line.json("worlds", "fork", "twin")
    assert fork["counts"]["orders"] == 1
    assert command_line.json("worlds", "reset", command_line.world.id)["counts"]["orders"] == 0
    listed = command_line.output("worlds")
    assert "mine" in listed
    assert "twin" in listed
    for world in ("mine", "twin"):
        assert command_line.output("worlds", "delete", world) == f"deleted {world}\n"


def test_open_names_the_address(command_line: CommandLine) -> None:
    assert command_line.output("open", "--print") == f"{command_line.url}/\n"


def test_an_unknown_world_is_named(command_line: CommandLine) -> None:
    assert "there is no world 'nope'" in command_line.error("orders", "--world", "nope")


def test_a_simulator_that_does_not_answer_ends_with_3_and_the_way_on(command_line: CommandLine) -> None:
    result = command_line.run("now", "--url", "http://127.0.0.1:1")
    assert result.exit_code == 3
    assert "no simulator answers at http://127.0.0.1:1; start one with `giftsim serve`" in result.stderr


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://localhost", "http://", "http://localhost/path"])
def test_an_address_that_is_none_is_refused(command_line: CommandLine, url: str) -> None:
    assert "is not the address of a simulator" in command_line.error("now", "--url", url)


def test_the_token_is_sent(command_line: CommandLine) -> None:
    simulator = Simulator(fixture="empty", access=Access(token="open-sesame"))
    with listening(simulator) as server:
        url = f"http://127.0.0.1:{server.port}"
        assert "control token" in command_line.run("now", "-w", "default", "--url", url).stderr.lower()
        options = ("now", "-w", "default", "--url", url)
        assert command_line.run(*options, GIFTSIM_CONTROL_TOKEN="open-sesame").exit_code == 0
        assert command_line.run(*options, "--control-token", "open-sesame").exit_code == 0


def test_the_shell_completes_worlds_orders_and_faults(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIFTSIM_URL", command_line.url)
    monkeypatch.setenv("GIFTSIM_WORLD", command_line.world.id)
    command_line.world.partner().create_order()
    command_line.output("fault", "status=503", "--id", "down")
    assert completions(["order"], "10") == ["1001"]
    assert completions(["faults", "end"], "d") == ["down"]
    assert command_line.world.id in completions(["now", "--world"], "")
    monkeypatch.setenv("GIFTSIM_URL", "http://127.0.0.1:1")
    assert completions(["order"], "") == []


def completions(arguments: list[str], incomplete: str) -> list[str]:
    """What the shell offers after these words."""
    shell = ShellComplete(main, {}, "giftsim", "_GIFTSIM_COMPLETE")
    return [item.value for item in shell.get_completions(arguments, incomplete)]


def test_the_worlds_of_one_process_of_several_are_said_to_be_that() -> None:
    with listening(Simulator(fixture="bare", access=Access(), worlds_prefix="p2")) as server:
        listed = CliRunner().invoke(main, ["worlds", "--url", f"http://127.0.0.1:{server.port}"]).stdout
    assert listed.endswith("These are the worlds of one process, p2; others behind this address have more.\n")
