"""`giftsim check-receiver` of a server on this machine: its report, its exit status, its commands and its refusals."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.exam.receiver.probes import PROBES
from tests.receiver_check.gift_app import SECRET, GiftApp, served
from tests.shows import shows
from tests.support.free_ports import free_ports

ONLY = ("--probe", "genuine")


def run(url: str, *options: object, secret: str | None = SECRET) -> Result:
    """Run the command with the secret in its variable."""
    runner = CliRunner(env={"GIFTSIM_SECRET": secret})
    return runner.invoke(main, ["check-receiver", url, *map(str, options)])


def outcomes(result: Result) -> dict[str, str]:
    """The outcome of each probe in a report as JSON."""
    return {probe["name"]: probe["outcome"] for probe in json.loads(result.stdout)["probes"]}


def test_a_right_receiver_passes_without_a_warning() -> None:
    with served(GiftApp()) as url:
        result = run(url, "--seed", "1")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == f"{len(PROBES)} probes: 42 pass, 0 fail, 0 warning, 11 skipped (seed 1)"


def test_what_a_check_says_is_printed_as_text(tmp_path: Path) -> None:
    """The command that checks prints what the app has, which may be anybody's text."""
    script = tmp_path / "check.py"
    script.write_text("print('wrong\\x1b[1A\\u202e')\nraise SystemExit(1)\n")
    with served(GiftApp()) as url:
        result = run(url, "--seed", "1", *ONLY, "--check", f"{sys.executable} {script}")
    assert "but the check says: wrong\\x1b[1A\\u202e" in result.stdout
    assert result.stdout.replace("\n", "").isprintable()


def test_the_report_as_json_has_the_documented_members() -> None:
    with served(GiftApp()) as url:
        result = run(url, "--json", "--interface", "team")
    report = json.loads(result.stdout)
    assert list(report) == ["probes"]
    assert [probe["name"] for probe in report["probes"]] == [probe.name for probe in PROBES]
    assert {tuple(probe) for probe in report["probes"]} == {("name", "outcome", "reason", "source", "repeat")}
    [stale] = [probe for probe in report["probes"] if probe["name"] == "stale_timestamp"]
    assert stale["source"] == "T-6.20, A6.4, G127"
    [request] = stale["repeat"]
    assert (request["method"], json.loads(request["body"])["type"]) == ("POST", "gift.claimed")
    assert request["headers"]["X-Service-Signature"].startswith("t=")
    [garbage] = [probe for probe in report["probes"] if probe["name"] == "unsigned_garbage"]
    assert "body_base64" in garbage["repeat"][0]


@shows("P-6.16")
def test_a_redirect_is_named_and_ends_the_check() -> None:
    with served(GiftApp(), status=308) as url:
        result = run(url, "--json")
    assert result.exit_code == 1
    found = outcomes(result)
    assert found.pop("redirect") == "fail"
    assert set(found.values()) == {"skipped"}


@shows("P-6.17")
def test_a_receiver_that_does_not_answer_in_time_is_named() -> None:
    with served(GiftApp(), hangs=True) as url:
        result = run(url, "--probe", "slow_answer", "--timeout", "0.2")
    assert result.exit_code == 1
    assert "answered nothing (timeout), where within 10 s is right" in result.stdout


def test_a_wrong_secret_fails_the_genuine_webhook() -> None:
    with served(GiftApp()) as url:
        result = run(url, *ONLY, "--secret", "whsec_wrong")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        1,
        "fail     genuine                   answered 400, where 2xx is right",
    )


def command(folder: Path, text: str) -> str:
    """A command that runs this program."""
    file = folder / "command.py"
    file.write_text(text, encoding="utf-8")
    return f'"{sys.executable}" "{file}"'


def test_a_command_says_what_the_app_believes(tmp_path: Path) -> None:
    believes = command(
        tmp_path,
        "import json, os, sys\n"
        "expected = json.load(sys.stdin)\n"
        "print(os.environ['GIFTSIM_APP'])\n"
        'sys.exit(f\'{expected["probe"]}: {len(expected["events"])} events, {len(expected["forged"])} forged\')\n',
    )
    with served(GiftApp()) as url:
        result = run(url, "--check", believes, "--probe", "duplicate", "--probe", "changed_body")
    assert result.exit_code == 1
    assert "answered 400, but the check says: changed_body: 0 events, 1 forged" in result.stdout
    assert "answered 204 6 times, but the check says: duplicate: 3 events, 0 forged" in result.stdout


def test_commands_break_and_mend_the_app(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = ("--break", f"echo broken >> {log}", "--mend", f"echo mended >> {log}")
    with served(GiftApp()) as url:
        result = run(url, "--probe", "failure_reported", *options)
        failing = run(url, "--probe", "failure_reported", "--break", "echo no; false", "--mend", "true")
    assert log.read_text().split() == ["broken", "mended"]
    assert result.exit_code == 1  # an app that did not notice
    assert failing.exit_code == 2
    assert "--break echo no; false: no" in failing.stderr


@pytest.mark.parametrize(
    ("url", "options", "message"),
    [
        ("https://hooks.partner.example/gifts", (), "is not a target: write it like http://127.0.0.1:9000"),
        ("http://192.0.2.7:9000/gifts", (), "is not on this machine"),
        ("http://169.254.169.254/", ("--forward-allow", "169.254.0.0/16"), "webhooks are never forwarded there"),
        ("127.0.0.1:9000", (), "is not the address of a receiver"),
        ("http://127.0.0.1:9000", ("--probe", "genuin"), "there is no probe 'genuin'; did you mean genuine?"),
        ("http://127.0.0.1:9000", ("--mend", "true"), "--break and --mend belong together"),
    ],
)
def test_an_address_or_option_that_cannot_be_is_refused(url: str, options: Any, message: str) -> None:
    result = run(url, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_the_secret_is_required() -> None:
    result = run("http://127.0.0.1:9000", secret=None)
    assert result.exit_code == 2
    assert "Missing option '--secret'" in result.stderr


def test_a_server_that_does_not_run_is_refused() -> None:
    result = run(f"http://127.0.0.1:{free_ports(1)}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot be reached (connection_refused); start your receiver first" in result.stderr
