"""The control token: from the environment or a file, on no command line and in no message."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.cli.serve_command import serve
from tests.support.served_simulator import HttpClient, ServedSimulator, serve_simulator

HEALTH = "/_sim/v1/health"
TOKEN = "let me in: 4f9a-81c2"
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


def test_an_empty_variable_is_not_a_token() -> None:
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


def test_a_default_and_a_token_of_the_environment_do_not_contradict() -> None:
    result = CliRunner(env={"GIFTSIM_CONTROL_TOKEN": "hush"}).invoke(main, [*RECORD, *URL])
    assert "cannot be reached" in result.stderr


def test_the_url_of_a_simulator_has_no_password_and_none_is_shown() -> None:
    result = CliRunner().invoke(main, [*RECORD, "--url", "http://ada:hush@127.0.0.1:9"])
    assert result.exit_code == 2
    assert "...@127.0.0.1:9' is not the URL of a simulator" in result.stderr
    assert "hush" not in result.stderr
