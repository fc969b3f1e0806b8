"""The control token: from the environment or a file, on no command line and in no message."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from tests.support.served_simulator import HttpClient, ServedSimulator, serve_simulator

HEALTH = "/_sim/v1/health"
TOKEN = "let me in: 4f9a"
VARIABLE = "GIFTSIM_CONTROL_TOKEN"


def health_statuses(served: ServedSimulator) -> tuple[int, int, int]:
    """The status of a call without a token, with another and with the right one."""
    client = HttpClient("127.0.0.1", served.banner["port"])
    sent: tuple[dict[str, str], ...] = ({}, {"Authorization": "Bearer no"}, {"Authorization": f"Bearer {TOKEN}"})
    return tuple(client.call("GET", HEALTH, headers=headers).status for headers in sent)  # type: ignore[return-value]


def run(*arguments: str, env: dict[str, str] | None = None) -> Result:
    """Run a command that must be refused."""
    result = CliRunner(env={VARIABLE: None, **(env or {})}).invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result


def test_the_token_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, TOKEN)
    with serve_simulator("--host", "0.0.0.0", "--fixture", "bare") as served:
        assert health_statuses(served) == (401, 401, 200)


def test_the_token_comes_from_a_file_rather_than_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    monkeypatch.setenv(VARIABLE, "another")
    with serve_simulator("--host", "0.0.0.0", "--control-token-file", str(file), "--fixture", "bare") as served:
        assert health_statuses(served) == (401, 401, 200)
        out = tmp_path / "recording.yaml"
        url = f"http://127.0.0.1:{served.banner['port']}"
        result = CliRunner().invoke(
            main, ["record", "--url", url, "--out", str(out), "--control-token-file", str(file)]
        )
        assert (result.exit_code, out.read_text().startswith("#")) == (0, True)
        result = CliRunner(env={VARIABLE: TOKEN}).invoke(main, ["record", "--force", "--url", url, "--out", str(out)])
        assert result.exit_code == 0


def test_an_empty_variable_is_no_token() -> None:
    message = run("--host", "0.0.0.0", env={VARIABLE: ""}).stderr
    assert "GIFTSIM_CONTROL_TOKEN or a file (--control-token-file)" in message


@pytest.mark.parametrize("token", ["", " ", "hush ", " hush", "hush\u00e9", "hush\x7f", "hu\nsh"])
def test_a_token_that_nobody_can_send_is_refused_and_not_shown(token: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(token, encoding="utf-8")
    for result in (run("--control-token", token), run("--control-token-file", str(file))):
        assert "a token is printable ASCII text, without blanks at either end" in result.stderr
        assert "hu" not in result.stderr.replace(str(file), "")
    assert "hush" not in run("--json", env={VARIABLE: "hush "}).stderr


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'no'}: No such file" in run("--control-token-file", str(tmp_path / "no")).stderr


def test_two_tokens_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    result = run("--control-token", "hush", "--control-token-file", str(file))
    assert "use one of them" in result.stderr
    assert "hush" not in result.stderr
