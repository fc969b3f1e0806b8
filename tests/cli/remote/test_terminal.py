"""What commands print in a terminal of 80 columns: words stay whole, colours can be read, each help has examples."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress

import click
import pytest
from click.testing import CliRunner

from giftsim.cli import terminal
from giftsim.cli.commands import EXAMPLES, LISTED
from giftsim.cli.main import main
from giftsim.cli.remote.output import color_of
from giftsim.cli.terminal import GREEN, RED
from giftsim.engine.webhooks.outgoing import DELIVERED, OUTCOMES
from tests.cli.remote.conftest import CommandLine
from tests.support.orders import email_recipients
from tests.support.served_simulator import ROOT

WIDTH = 80
# Ids, links, instants, paths and codes: a word with a digit, a slash, a dot or an underscore in it.
WHOLE = re.compile(r"\S*[\d/_.]\S*\w")
READABLE = 3.8  # times as bright or dark as the page; 3 is the least for large text


def paths(group: click.Group, above: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that the help lists, with those below it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{above}{name}", command
        if isinstance(command, click.Group):
            yield from paths(command, f"{above}{name} ")


COMMANDS = dict(paths(main))


@pytest.mark.parametrize("path", COMMANDS)
def test_the_help_of_a_command_fits_80_columns_and_ends_with_examples(path: str) -> None:
    text = CliRunner().invoke(main, [*path.split(), "--help"], terminal_width=WIDTH).stdout
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []
    _, _, examples = text.partition("Examples:\n")
    assert [line.strip() for line in examples.splitlines()] == list(EXAMPLES[path])
    assert "..." not in text.partition("\nCommands:\n")[2].partition("\n\n")[0], "a line of the list is cut short"


@pytest.mark.parametrize("path", COMMANDS)
def test_an_example_names_its_command_and_options_that_there_are(path: str) -> None:
    for example in EXAMPLES[path]:
        words = shlex.split(example.partition(" -- ")[0].partition('eval "$(')[2].rstrip(')"') or example)
        assert words[0] == "giftsim"
        named = next(
            name for name in sorted(COMMANDS, key=len, reverse=True) if words[1:][: len(name.split())] == name.split()
        )
        assert path.startswith(named.split(maxsplit=1)[0])
        known = {option for parameter in COMMANDS[named].params for option in parameter.opts}
        assert {word for word in words if word.startswith("-") and word != "--"} <= known


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == set(COMMANDS)
    assert set(LISTED) <= set(EXAMPLES)


@pytest.mark.parametrize(
    "command",
    [
        "now", "orders", "orders {order}", "mail", "deliveries", "faults", "worlds", "advance 10d --dry-run",
        "advance 9d",
        "play scenarios/partner/declined_card.yaml", "play scenarios/partner/declined_card.yaml --quiet",
        "statements", "orders 99", "now -w a-world-that-does-not-exist-and-has-a-rather-long-name-of-its-own",
        "advance 3x", "faults add colour=red", "act", "act account --help",
        "act account", "act account key=partner.prepaid card=good", "act shp",
        "act ship team_order_id=1 to=shiped", "act snapshot name=a-snapshot",
        "play nothing/of_that_name.yaml", "now --url http://127.0.0.1:1",
        "serve --processes 0", "completion csh", "schema scenarios", "compare --target https://gifts.vendor.example",
        "play --exact tests/cli/remote/test_terminal.py",
        "check tests/cli/remote/test_terminal.py", "exam --receiver http://127.0.0.1:9000/hooks --secret",
    ],
)  # fmt: skip
def test_ids_links_and_instants_stay_in_one_piece_at_80_columns(command_line: CommandLine, command: str) -> None:
    partner = command_line.world.partner()
    partner.subscribe("team_order.claimed", "team_order.shipped")
    order = partner.create_order(recipients=email_recipients(2)).json()["team_order"]["id"]
    command_line.world.add_fault({"status": 503}, match={"operation": "createTeamOrder"}, when={"first": 2})
    command_line.run("act", "claim", f"team_order_id={order}", "recipient=0")
    command_line.world.advance("6d")
    words = shlex.split(command.format(order=order))
    wide = command_line.run(*words, COLUMNS="1000").output
    if words[:2] == ["advance", "9d"]:
        command_line.run("undo")
    narrow = in_terminal(command_line, words)
    assert sorted(WHOLE.findall(narrow)) == sorted(WHOLE.findall(wide))
    assert [line for line in narrow.splitlines() if len(line) > WIDTH and " " in line.strip()] == []


def test_a_line_goes_on_below_its_last_column_and_a_command_in_it_stays_whole(command_line: CommandLine) -> None:
    played = in_terminal(command_line, ["play", "scenarios/partner/declined_card.yaml"]).splitlines()
    [call] = [n for n, line in enumerate(played) if "POST /api/external/webhooks as" in line]
    assert played[call + 1] == " " * played[call].index("POST") + "partner.prepaid: 201"
    assert "start one with\n    `giftsim serve`," in in_terminal(command_line, ["now", "--url", "http://127.0.0.1:1"])


def test_every_outcome_of_an_attempt_has_a_colour() -> None:
    assert {name: color_of(name) for name in OUTCOMES} == dict.fromkeys(OUTCOMES, RED) | {DELIVERED: GREEN}


def in_terminal(command_line: CommandLine, words: list[str]) -> str:
    """What a command prints in a terminal of 80 columns, without its colours."""
    shell = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    shell |= {"GIFTSIM_URL": command_line.url, "GIFTSIM_WORLD": command_line.world.id}
    outside, inside = os.openpty()
    termios.tcsetwinsize(inside, (24, WIDTH))
    run = [sys.executable, "-c", "from giftsim.cli.main import main; main(prog_name='main')", *words]
    with subprocess.Popen(run, stdin=inside, stdout=inside, stderr=inside, env=shell, cwd=ROOT):
        os.close(inside)
        printed = b""
        with suppress(OSError):  # the end of a terminal that nobody writes to any more
            while part := os.read(outside, 65536):
                printed += part
    os.close(outside)
    return click.unstyle(printed.decode()).replace("\r\n", "\n")


def luminance(code: int) -> float:
    """How bright one of the 256 colours of terminals is, from 0 to 1."""
    steps = (0, 95, 135, 175, 215, 255)
    number = code - 16
    parts = [steps[number // 36] / 255, steps[number // 6 % 6] / 255, steps[number % 6] / 255]
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", ["GREEN", "RED", "AMBER", "TEAL"])
def test_a_colour_can_be_read_on_white_and_on_black(name: str) -> None:
    bright = luminance(getattr(terminal, name))
    assert 1.05 / (bright + 0.05) > READABLE
    assert (bright + 0.05) / 0.05 > READABLE


def test_a_word_for_a_command_with_another_name_may_be_misspelt() -> None:
    assert "there is no command 'evnts'; did you mean deliveries?" in CliRunner().invoke(main, ["evnts"]).stderr
    assert "there is no command 'frobnicate'; `giftsim --help`" in CliRunner().invoke(main, ["frobnicate"]).stderr
