"""No message of the command line shows the user name or password of a URL."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main

URL = "http://ada:hush@127.0.0.1:9"


@pytest.mark.parametrize(
    "arguments",
    [
        ("now", "--url", URL),
        ("orders", "--url", "ftp://ada:hush@sim.example"),
        ("serve", "--cors-allow", URL),
        ("serve", "--host-name", URL),
        ("serve", "--forward-allow", URL),
        ("serve", "--forward-allow", "ada:hush@sim.example"),
        ("serve", "--forward", f"hooks.partner.example={URL}"),
        ("serve", "--forward", URL),
        ("serve", "--public-url", URL),
        ("serve", "--clock", URL),
        ("play", "scenarios/museum", "--app", URL),
        ("explore", "--app", URL),
        ("record", "--out", "recording.yaml", "--url", URL),
        ("nothing", URL),
    ],
)
def test_a_refused_option_is_quoted_without_its_password(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "hush" not in result.stderr
