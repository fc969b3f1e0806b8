"""`giftsim fault` and `faults`, typed by a user."""

from __future__ import annotations

from tests.cli.remote.conftest import CommandLine


def test_a_fault_acts_until_it_is_ended(command_line: CommandLine) -> None:
    output = command_line.output("fault", "status=503", "--operation", "createTeamOrder", "--id", "down")
    assert "giftsim faults end down" in output
    partner = command_line.world.partner()
    assert partner.create_order().status == 503
    assert command_line.json("faults")[0]["hits"] == 1
    assert command_line.output("faults", "end", "down") == "ended down\n"
    assert partner.create_order().status == 201
    assert "this world has no faults" in command_line.output("faults")


def test_effects_take_numbers_and_flags(command_line: CommandLine) -> None:
    command_line.output("fault", "status=429", "retry_after=7", "--first", "1")
    answer = command_line.world.partner().create_order()
    assert (answer.status, answer.headers["retry-after"]) == (429, "7")
    command_line.output("fault", "drop=after", "--every", "2", "--credential", "partner.prepaid")
    assert command_line.json("faults")[1]["when"] == {"every": 2}
    assert command_line.output("faults", "end").startswith("ended fault-1, fault-2")


def test_a_misspelt_effect_gets_the_nearest_one(command_line: CommandLine) -> None:
    assert "did you mean status?" in command_line.error("fault", "staus=503")


def test_the_world_of_a_group_is_that_of_its_command(command_line: CommandLine) -> None:
    other = command_line.json("worlds", "create")["id"]
    command_line.output("fault", "status=503", "--world", other)
    assert command_line.output("faults", "end") == "there was no fault\n"
    assert command_line.output("faults", "-w", other, "end") == "ended fault-1\n"
    command_line.output("worlds", "delete", other)
