"""Options that have no effect beside others are refused, with the reason."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main

APP = ("--app", "http://127.0.0.1:9")
RECORD = ("record", "--out", "recording.yaml")
URL = ("--url", "http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*RECORD, *URL, "--seed", "1"), "--seed cannot take effect: a world of --url has its own"),
        (
            (*RECORD, *URL, "--fixture", "bare", "--now", "2027-01-04T09:00:00Z"),
            "--fixture and --now cannot take effect",
        ),
        ((*RECORD, "--world", "default", "--", "true"), "--world cannot take effect: only --url takes it"),
        ((*RECORD, "--control-token", "hush", "--", "true"), "--control-token cannot take effect: only --url takes it"),
        (("play", "scenarios/museum", "--json", "--quiet"), "--quiet cannot take effect: --json prints every report"),
        (("play", "scenarios/museum", "--json", "-v"), "--verbose cannot take effect: --json prints every report"),
        (("play", "scenarios/museum", "-q", "-v"), "--verbose cannot take effect: --quiet prints lines only"),
        (("explore", *APP, "--seed", "3", "--seeds", "9"), "--seeds cannot take effect: --seed runs that seed only"),
        (("explore", *APP, "--check", "true", "--check-path", "/x"), "--check-path cannot take effect"),
        (("explore", *APP, "--receiver-only", "--do-path", "/x"), "--do-path cannot take effect"),
    ],
)
def test_an_option_without_effect_is_refused(arguments: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {message}" in result.stderr


def test_a_default_and_a_token_of_the_environment_are_no_contradiction() -> None:
    result = CliRunner(env={"GIFTSIM_CONTROL_TOKEN": "hush"}).invoke(main, [*RECORD, *URL])
    assert "cannot be reached" in result.stderr


def test_the_url_of_a_simulator_has_no_password_and_none_is_shown() -> None:
    result = CliRunner().invoke(main, [*RECORD, "--url", "http://ada:hush@127.0.0.1:9"])
    assert result.exit_code == 2
    assert "...@127.0.0.1:9' is not the URL of a simulator" in result.stderr
    assert "hush" not in result.stderr
