"""Options of `serve` from the environment: all of them, below the command line, and named in messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.cli.serve_command import serve
from tests.support.served_simulator import serve_simulator


def refusal(env: dict[str, str], *options: str) -> str:
    """The last line of the message of a start that must be refused."""
    result = CliRunner(env={"GIFTSIM_CONTROL_TOKEN": None, "GIFTSIM_PORT": "0", **env}).invoke(main, options)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    return result.stderr.splitlines()[-1]


@pytest.fixture
def recipe(tmp_path: Path) -> dict[str, str]:
    """Variables with which one start shows that each option was read."""
    return {
        "GIFTSIM_CLOCK": "manual", "GIFTSIM_NOW": "2031-05-06T07:08:09Z", "GIFTSIM_SEED": "12",
        "GIFTSIM_FIXTURE": "bare", "GIFTSIM_MAX_WORLDS": "1", "GIFTSIM_JOURNAL": str(tmp_path / "worlds.journal"),
        "GIFTSIM_FORWARD": "hooks.a.example=http://127.0.0.1:9000\n hooks.b.example=http://10.0.0.7:9001",
        "GIFTSIM_FORWARD_ALLOW": "10.0.0.7 10.1.0.0/16", "GIFTSIM_PUBLIC_URL": "https://gifts.example.org",
        "GIFTSIM_HOST_NAME": "sim.example.org sim", "GIFTSIM_CORS_ALLOW": "https://app.example https://b.example",
        "GIFTSIM_HOLD_TIMEOUT": "17.5",
    }  # fmt: skip


def test_every_option_has_a_variable_which_help_shows() -> None:
    names = {param.opts[0] for param in serve.params}
    assert {"--port", "--control-token-file", "--verbose"} < names
    text = "".join(CliRunner().invoke(main, ["serve", "--help"], terminal_width=200).stdout)
    missing = [name for name in names if f"GIFTSIM_{name[2:].upper().replace('-', '_')}" not in text]
    assert missing == ["--help"] or missing == []


def test_a_start_takes_its_options_from_the_environment(
    recipe: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in recipe.items():
        monkeypatch.setenv(name, value)
    with serve_simulator() as served:
        world = served.client.call("GET", "/_sim/v1/worlds/default").json()
        assert (world["now"], world["seed"], world["fixture"]) == ("2031-05-06T07:08:09Z", 12, "bare")
        assert world["clock"]["mode"] == "manual"
        assert world["urls"]["partner"] == "https://gifts.example.org/api/external"
        rows = served.client.call("GET", "/_sim/v1/worlds/default/receivers").json()["receivers"]
        assert [row["to"] for row in rows] == ["http://127.0.0.1:9000", "http://10.0.0.7:9001"]
        for host in ("sim.example.org", "sim"):
            assert served.client.call("GET", "/_sim/v1/health", headers={"Host": host}).status == 200
        page = {"Origin": "https://b.example"}
        assert served.client.call("GET", "/_sim/v1/health", headers=page).status == 200
        assert served.client.call("POST", "/_sim/v1/worlds", body={}).status == 409
    assert (tmp_path / "worlds.journal").stat().st_size


def test_the_command_line_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIFTSIM_PORT", "no number, which is not looked at")
    monkeypatch.setenv("GIFTSIM_FIXTURE", "no such fixture")
    monkeypatch.setenv("GIFTSIM_FORWARD", "hooks.a.example=http://127.0.0.1:9000")
    monkeypatch.setenv("GIFTSIM_SEED", "")
    with serve_simulator("--fixture", "bare", "--forward", "hooks.b.example=http://127.0.0.1:9001") as served:
        assert served.client.call("GET", "/_sim/v1/worlds/default").json()["seed"] == 1
        rows = served.client.call("GET", "/_sim/v1/worlds/default/receivers").json()["receivers"]
        assert [row["host"] for row in rows] == ["hooks.b.example"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("GIFTSIM_PORT", "http", "the variable GIFTSIM_PORT: it takes a whole number from 0 to 65535, not 'http'"),
        ("GIFTSIM_PORT", "tcp:/", "the variable GIFTSIM_PORT"),
        ("GIFTSIM_SEED", "-1", "the variable GIFTSIM_SEED: it takes a whole number of 0 or more"),
        ("GIFTSIM_VERBOSE", "ja", "the variable GIFTSIM_VERBOSE: 'ja' is not a valid boolean"),
        ("GIFTSIM_CLOCK", "fast", "Error: GIFTSIM_CLOCK is manual, running or running@RATE"),
        ("GIFTSIM_NOW", "tomorrow", "Error: GIFTSIM_NOW: "),
        ("GIFTSIM_FORWARD", "hooks.a.example", "Error: GIFTSIM_FORWARD is HOST=URL"),
        ("GIFTSIM_FORWARD_ALLOW", "169.254.169.254", "Error: GIFTSIM_FORWARD_ALLOW: 169.254.169.254 is link-local"),
        ("GIFTSIM_HOST_NAME", "a,b", "Error: GIFTSIM_HOST_NAME is a name"),
        ("GIFTSIM_HOST", "0.0.0.0", "Error: GIFTSIM_HOST 0.0.0.0 is reachable from other machines"),
        ("GIFTSIM_FIXTURE", "nosuch", "(the environment sets GIFTSIM_PORT, GIFTSIM_FIXTURE)"),
        ("GIFTSIM_CONTROL_TOKEN", "hush ", "Error: GIFTSIM_CONTROL_TOKEN: a token is printable ASCII text"),
        ("GIFTSIM_CONTROL_TOKEN_FILE", "/no", "Error: GIFTSIM_CONTROL_TOKEN_FILE /no: No such file"),
    ],
)  # fmt: skip
def test_a_message_about_a_value_names_its_variable(name: str, value: str, message: str) -> None:
    assert message in refusal({name: value})


def test_a_message_about_the_command_line_names_the_option_although_its_variable_is_set() -> None:
    message = refusal({"GIFTSIM_CLOCK": "manual"}, "--clock", "fast")
    assert message.startswith("Error: --clock is manual")
    assert "Invalid value for '--port': it takes" in refusal({}, "--port", "x")


def test_kubernetes_may_set_the_port_variable_for_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIFTSIM_PORT", "tcp://10.96.0.7:8080")
    assert "whole number" not in refusal({"GIFTSIM_PORT": "tcp://10.96.0.7:8080", "GIFTSIM_CLOCK": "fast"})


def test_the_token_is_one_of_two_variables_and_the_command_line_wins(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("of the file")
    both = {"GIFTSIM_CONTROL_TOKEN": "hush", "GIFTSIM_CONTROL_TOKEN_FILE": str(file), "GIFTSIM_CLOCK": "fast"}
    message = refusal(both)
    assert "GIFTSIM_CONTROL_TOKEN and GIFTSIM_CONTROL_TOKEN_FILE are two tokens" in message
    assert "hush" not in message
    for given in (("--control-token", "x"), ("--control-token-file", str(file))):
        assert refusal(both, *given).startswith("Error: GIFTSIM_CLOCK is")
