"""`giftsim why`, typed by a user."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from giftsim.cli.main import main
from tests.cli.remote.conftest import CommandLine
from tests.support.orders import email_recipients


@pytest.fixture
def order(command_line: CommandLine) -> str:
    """An order that is claimed."""
    world = command_line.world
    order = world.partner().create_order(recipients=email_recipients(1)).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    return str(order)


def test_why_says_one_sentence_its_proof_and_what_would_change_it(command_line: CommandLine, order: str) -> None:
    lines = command_line.output("why", "order", order, "--expected", "team_order.shipped").splitlines()
    assert lines[0].startswith(f"not_due: team_order.shipped of order {order} is due at 2027-01-07T09:00:00Z")
    assert lines[1].startswith("  entry 4")
    assert '  pytest    giftsim.advance("3d")' in lines
    assert "  scenario  - advance: 3d" in lines
    [verdict] = command_line.json("why", "order", order, "--expected", "team_order.shipped")["verdicts"]
    assert verdict["kind"] == "not_due"


def test_why_says_so_if_it_does_not_know(command_line: CommandLine, order: str) -> None:
    lines = command_line.output("why", "call", "1").splitlines()
    assert lines[0].startswith("unknown: no cause is known;")
    assert lines[-1].startswith("  no line   no cause is known")


def test_why_refuses_what_it_does_not_know_with_what_there_is(command_line: CommandLine, order: str) -> None:
    assert "did you mean order?" in command_line.error("why", "ordr", order)
    assert f"did you mean {order}?" in command_line.error("why", "order", "1002")
    assert "did you mean delivered?" in command_line.error("why", "order", order, "--expected", "deliverd")


def test_the_kinds_are_completed() -> None:
    found = ShellComplete(main, {}, "giftsim", "_GIFTSIM_COMPLETE").get_completions(["why"], "c")
    assert [item.value for item in found] == ["campaign", "call"]
