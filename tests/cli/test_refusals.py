"""Numbers, fixtures and commands that are none are refused in words on the command line."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve", "--port", "99999"], "'--port': it takes a whole number from 0 to 65535, not '99999'."),
        (["serve", "--port", "abc"], "'--port': it takes a whole number from 0 to 65535, not 'abc'."),
        (["serve", "--seed", "-1"], "'--seed': it takes a whole number of 0 or more, not '-1'."),
        (["serve", "--hold-timeout", "0"], "'--hold-timeout': it takes a number above 0, not '0'."),
        (["fault", "hold=true", "--probability", "2"], "'--probability': it takes a number from 0 to 1, not '2'."),
    ],
)
def test_a_number_out_of_range_is_refused_in_words(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("path", ["nowhere.yaml", "folder/nowhere.json", "./nowhere"])
def test_a_fixture_file_that_is_not_there_is_named(path: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--fixture", path])
    assert result.exit_code == 2
    assert f"there is no such file {path!r} for a fixture" in result.stderr


def test_a_misspelt_fixture_gets_the_nearest_one() -> None:
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--fixture", "emty"])
    assert "there is no fixture 'emty'; did you mean empty?" in result.stderr


def test_a_misspelt_command_gets_the_nearest_one() -> None:
    result = CliRunner().invoke(main, ["advnce", "3d"])
    assert result.exit_code == 2
    assert "there is no command 'advnce'; did you mean advance?" in result.stderr
