"""`giftsim exam --receiver` of a server on this machine: its result, its exit status, its commands and its refusals."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.exam.receiver.probes import SHOWS
from tests.exam.receiver.gift_app import SECRET, GiftApp, served
from tests.exam.sample_shop import serving
from tests.shows import shows
from tests.support.free_ports import free_ports

ONLY = ("--only", "genuine")
NEEDS_MORE = {
    *("takes_new_secrets", "refuses_old_secrets", "reports_its_failures", "orders_events_by_time"),
    "books_each_event_once",
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(url: str, *options: object, secret: str | None = SECRET) -> Result:
    """Run the command with the secret in its variable."""
    runner = CliRunner(env={"GIFTSIM_SECRET": secret})
    return runner.invoke(main, ["exam", "--receiver", url, *map(str, options)])


def rules(result: Result) -> dict[str, dict[str, Any]]:
    """Each rule of a result as JSON."""
    return {rule["id"]: rule for rule in json.loads(result.stdout)["rules"]}


@pytest.mark.parametrize("interface", ["partner", "team"])
def test_a_right_receiver_passes_all_that_its_answers_show(interface: str) -> None:
    with served(GiftApp()) as url:
        result = run(url, "--seed", "1", "--json", "--interface", interface)
    assert result.exit_code == 0, result.output
    found = rules(result)
    assert list(found) == list(SHOWS)
    assert {name for name, rule in found.items() if rule["outcome"] == "not_offered"} == NEEDS_MORE
    assert {rule["outcome"] for name, rule in found.items() if name not in NEEDS_MORE} == {"passed"}
    assert found["refuses_old_webhooks"]["sources"] == (
        ["P-6.14", "G127"] if interface == "partner" else ["T-6.20", "A6.4", "G127"]
    )


class LeavesBodies(BaseHTTPRequestHandler):
    """Refuses other methods than POST, and leaves the body of a GET unread on a connection that it keeps open."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(200)

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(405)

    def do_GET(self) -> None:
        self._answer(405)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def test_a_body_that_is_left_unread_disturbs_no_later_probe() -> None:
    only = [each for name in ("genuine", "wrong_method", "content_type_with_charset") for each in ("--only", name)]
    with serving(None, LeavesBodies) as url:
        result = run(url, "--seed", "1", *only)
    assert (result.exit_code, "answered" in result.stdout) == (0, False), result.output


def test_what_a_rule_needs_is_said() -> None:
    with served(GiftApp()) as url:
        result = run(url, "--json", "--only", "takes_new_secrets", "--only", "reports_its_failures")
    reasons = {name: rule["reason"] for name, rule in rules(result).items()}
    assert "next_secret" in reasons["takes_new_secrets"]
    assert "break and mend" in reasons["reports_its_failures"]
    assert result.exit_code == 1  # it showed nothing


def test_what_a_check_says_is_printed_as_text(tmp_path: Path) -> None:
    """The command that checks prints what the app has, which may be anybody's text."""
    script = tmp_path / "check.py"
    script.write_text("print('wrong\\x1b[1A\\u202e')\nraise SystemExit(1)\n")
    with served(GiftApp()) as url:
        result = run(url, "--seed", "1", *ONLY, "--check", f"{sys.executable} {script}")
    assert "but the check says: wrong\\x1b[1A\\u202e" in result.stdout
    assert result.stdout.replace("\n", "").isprintable()


@shows("P-6.16")
def test_a_redirect_is_named_and_ends_the_exam() -> None:
    with served(GiftApp(), status=308) as url:
        result = run(url, "--json")
    assert result.exit_code == 1
    found = rules(result)
    assert found["answers_in_time"]["outcome"] == "failed"
    assert "answered 308, where no redirect is right" in found.pop("answers_in_time")["reason"]
    assert {rule["outcome"] for rule in found.values()} == {"skipped"}


@shows("P-6.17")
def test_a_receiver_that_does_not_answer_in_time_is_named() -> None:
    with served(GiftApp(), hangs=True) as url:
        result = run(url, "--only", "slow_answer", "--timeout", "0.2")
    assert result.exit_code == 1
    assert "answered nothing (timeout), where within 10 s is right" in result.stdout


def test_a_wrong_secret_fails_the_genuine_webhook() -> None:
    with served(GiftApp()) as url:
        result = run(url, *ONLY, "--secret", "whsec_wrong", "--json")
    assert result.exit_code == 1
    rule = rules(result)["verifies_raw_bytes"]
    assert rule["reason"] == "answered 400, where 2xx is right (sent: a genuine webhook)"


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
        result = run(url, "--check", believes, "--only", "duplicate", "--only", "changed_body", "--json")
    assert result.exit_code == 1
    found = rules(result)
    assert "answered 400, but the check says: changed_body: 0 events, 1 forged" in found["verifies_raw_bytes"]["reason"]
    assert "but the check says: duplicate: 3 events, 0 forged" in found["books_each_event_once"]["reason"]


def test_commands_break_and_mend_the_app(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = ("--break", f"echo broken >> {log}", "--mend", f"echo mended >> {log}")
    with served(GiftApp()) as url:
        result = run(url, "--only", "failure_reported", *options)
        failing = run(url, "--only", "failure_reported", "--break", "echo no; false", "--mend", "true")
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
        ("http://127.0.0.1:9000", ("--only", "genuin"), "there is no rule or probe 'genuin'; did you mean genuine?"),
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
    assert "--receiver needs the --secret" in result.stderr


def test_a_server_that_does_not_run_is_refused() -> None:
    result = run(f"http://127.0.0.1:{free_ports(1)}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot be reached (connection_refused); start your receiver first" in result.stderr


def test_the_former_command_holds_the_same_exam() -> None:
    runner = CliRunner(env={"GIFTSIM_SECRET": SECRET})
    with served(GiftApp()) as url:
        right = runner.invoke(main, ["check-receiver", url, "--probe", "genuine"])
        wrong = runner.invoke(main, ["check-receiver", url, "--probe", "genuine", "--secret", "whsec_other"])
    assert (right.exit_code, wrong.exit_code) == (0, 1)
    assert "exam --receiver" in right.stderr
