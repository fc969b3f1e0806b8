"""The page of the command line: what commands share once, and of a help what a reader decides by."""

from __future__ import annotations

import click

from giftsim.cli.main import main
from tools.docgen.command_reference import command_reference

SHARED = click.option("-w", "--world", default="default", show_default=True, help="The world.")


@click.group()
def program() -> None:
    """A program."""


@program.command()
@SHARED
@click.argument("item")
def first(world: str, item: str) -> None:
    """Do this.

    It is long. The exit status is 1 without --force.
    """


@program.command()
@SHARED
def second(world: str) -> None:
    """Do that."""


@program.command()
@SHARED
@click.option("--force", envvar="GIFTSIM_ANYWAY", show_envvar=True, help='As `do --force` and "--force", with --world.')
@click.option("--port", default=1, envvar="GIFTSIM_PORT", show_default=True, show_envvar=True, help="The port.")
def third(world: str, force: str, port: int) -> None:
    """Do more."""


@program.command(hidden=True)
def former() -> None:
    """Do what was done."""


PAGE = command_reference(program, "try")


def test_an_option_of_three_commands_is_described_once() -> None:
    assert PAGE.startswith("## Options of several commands\n\n- `-w, --world TEXT`: The world. (default)\n\n")
    assert PAGE.count("The world.") == 1
    assert "## try second\n\nDo that.\n\nAlso `--world`.\n" in PAGE


def test_a_section_has_the_first_paragraph_the_exit_status_and_the_arguments() -> None:
    assert "## try first\n\nDo this. The exit status is 1 without `--force`. `ITEM`\n" in PAGE


def test_a_variable_is_named_unless_it_is_called_like_the_option_and_options_in_texts_are_code() -> None:
    assert '- `--force TEXT`: As `do --force` and "--force", with `--world`. (`GIFTSIM_ANYWAY`)\n' in PAGE
    assert "- `--port INTEGER`: The port. (1)\n" in PAGE


def test_hidden_commands_have_no_section() -> None:
    assert "former" not in PAGE


def test_every_command_that_help_lists_has_a_section() -> None:
    page = command_reference(main)
    assert all(f"\n## giftsim {name}\n" in page for name in main.list_commands(click.Context(main)))
