"""Commands that let the time of an app follow a world: `run`, `explore`, `exam`, `play` and `serve`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.engine.url_paths import CONTROL
from tests.support.free_ports import free_ports
from tests.support.served_simulator import ROOT, serve_simulator

SHOP = f"{sys.executable} {ROOT / 'examples' / 'shop.py'} {{port}}"

# What users write: a server with webhooks and reminders, and a test that moves the world and looks at the app's log.
APP = """
import datetime, json, os, sys, threading, time, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

log, wanted = [], ["2027-01-04T12:30:00Z", "2027-01-06T00:00:00Z"]

def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

class App(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {}
        if self.path == "/giftsim/do":
            assert now() == body["now"], (now(), body)
            while wanted and wanted[0] <= now():
                log.append((now(), "reminder", 0))
                wanted.pop(0)
            answer = {"next": wanted[0] if wanted else None}
        else:
            signed = int(self.headers["X-Service-Signature"].partition(",")[0].removeprefix("t="))
            log.append((now(), body["type"], abs(time.time() - signed)))
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), App)
threading.Thread(target=server.serve_forever, daemon=True).start()

def call(url, body):
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["GIFTSIM_PARTNER_PREPAID"]}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)

order = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
         "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
made = call(os.environ["GIFTSIM_URL"] + "/api/external/team-orders", order)["team_order"]["id"]
control = os.environ["GIFTSIM_CONTROL"]
call(control + "/simulate/claim", {"team_order_id": made, "recipient": 0})
began = time.monotonic()
time.sleep(0.05)
report = call(control + "/clock/advance", {"by": "10d"})
print(json.dumps({"log": log, "now": now(), "slept": time.monotonic() - began >= 0.05, **report["app_clock"]}))
"""


def run(folder: Path, app: str, *options: str, words: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """`giftsim run --app-clock OPTIONS -- python app.py WORDS`."""
    (folder / "app.py").write_text(app)
    command = [sys.executable, str(ROOT / "run_sim.py"), "run", "--app-clock", "--fixture", "empty", *options]
    return subprocess.run(
        [*command, "--", sys.executable, "app.py", *words],
        capture_output=True, text=True, cwd=folder, timeout=240, check=False,
    )  # fmt: skip


def refused(*words: str) -> str:
    """The message of a command that is refused."""
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2, result.output
    return " ".join(result.output.split())


def lived(folder: Path) -> Any:
    """What the app says of ten days."""
    port = str(free_ports(1))
    done = run(folder, APP, "--webhooks", f"http://127.0.0.1:{port}/hooks", words=(port,))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_an_app_lives_through_ten_days_with_its_reminders_between_the_webhooks(tmp_path: Path) -> None:
    said = lived(tmp_path)
    assert [(at, what) for at, what, _ in said["log"]] == [
        ("2027-01-04T10:00:00Z", "team_order.claimed"),
        ("2027-01-04T12:30:00Z", "reminder"),
        ("2027-01-06T00:00:00Z", "reminder"),
        ("2027-01-07T09:00:00Z", "team_order.shipped"),
        ("2027-01-09T09:00:00Z", "team_order.delivered"),
    ]
    assert [age_s for _, _, age_s in said["log"]] == [0] * 5
    assert (said["now"], said["slept"], said["asked_for"], said["problems"]) == ("2027-01-14T09:00:00Z", True, 2, [])
    assert lived(tmp_path)["log"] == said["log"]


def test_time_ticks_while_the_worlds_clock_runs(tmp_path: Path) -> None:
    """An hour passes in each real second; the app reads its clock until a minute has passed."""
    app = """
import time
first = time.time()
while time.time() < first + 60: time.sleep(0.01)
print(first >= 1799053200)
"""
    done = run(tmp_path, app, "--clock", "running@3600")
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_the_time_follows_a_world_that_the_program_makes_until_it_is_deleted(tmp_path: Path) -> None:
    app = """
import json, os, time, urllib.request

def call(method, path, body):
    request = urllib.request.Request(os.environ["GIFTSIM_URL"] + "/_sim/v1/worlds" + path, json.dumps(body).encode(),
                                     {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")

def day():
    return time.strftime("%m-%d", time.gmtime())

days, world = [day()], call("POST", "", {"fixture": "empty", "now": "2027-03-01T00:00:00Z"})["id"]
days.append(day())
problems = call("POST", f"/{world}/clock/advance", {"by": "3d"})["app_clock"]["problems"]
problems += call("POST", "/default/clock/advance", {"by": "1d"})["app_clock"]["problems"]
days.append(day())
call("DELETE", f"/{world}", None)
print(*days, day(), *problems)
"""
    done = run(tmp_path, app)
    assert done.stdout.startswith("01-04 03-01 03-04 01-05 the app's clock follows world w1, not default: "), done


def test_a_runtime_whose_time_nothing_moves_is_refused_by_name() -> None:
    said = refused("run", "--app-clock", "--", "go", "test", "./...")
    assert "--app-clock: the time of go cannot be moved: Go asks the kernel for it" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--app-clock", "--assumptions", "--", "true"), "--app-clock"),
        (("explore", "--app", "http://127.0.0.1:9", "--app-clock"), "give its --app-command"),
        (("exam", "--app", "http://127.0.0.1:9", "--app-clock"), "give its --app-command"),
        (("exam", "--receiver", "http://127.0.0.1:9/hooks", "--app-clock"), "it belongs to --app"),
        (("play", "partner/declined_card", "--app", "http://127.0.0.1:9", "--app-clock"), "give its --app-command"),
        (("serve", "--processes", "2", "--app-clock-file", "now"), "an app can follow one process"),
        (("serve", "--app-clock-file", "missing/now"), "the time cannot be written to missing/now: No such file"),
    ],
)
def test_what_does_not_fit_is_refused(words: tuple[str, ...], said: str) -> None:
    assert said in refused(*words)


def test_explore_and_exam_move_the_time_of_an_app_that_checks_how_old_signatures_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shop refuses webhooks that were signed more than five minutes from what it reads on its clock."""
    monkeypatch.chdir(tmp_path)
    app = ("--app", f"http://127.0.0.1:{free_ports(1)}", "--app-command", SHOP, "--app-clock")
    explored = CliRunner().invoke(main, ["explore", *app, "--seeds", "2", "--json"])
    assert (explored.exit_code, json.loads(explored.stdout)["outcome"]) == (0, "held"), explored.output
    rules = [word for rule in ("refuses_old_webhooks", "honours_retry_after") for word in ("--only", rule)]
    examined = CliRunner().invoke(main, ["exam", *app, *rules, "--rounds", "1", "--seed", "5"])
    assert examined.exit_code == 0, examined.output


def test_serve_writes_the_time_of_its_default_world(tmp_path: Path) -> None:
    file = tmp_path / "now"
    with serve_simulator("--clock", "manual", "--app-clock-file", str(file)) as server:
        assert file.read_text() == "@2027-01-04 09:00:00\n"
        world = f"{CONTROL}/worlds/default"
        assert server.client.call("POST", f"{world}/clock/advance", body={"by": "3d"}).status == 200
        assert file.read_text() == "@2027-01-07 09:00:00\n"
        assert server.client.call("POST", f"{world}/reset").status == 200
        assert file.read_text() == "@2027-01-04 09:00:00\n"


def test_the_command_advance_names_what_an_app_did_not_do(tmp_path: Path) -> None:
    app = f"""
import subprocess, sys
subprocess.run([sys.executable, {str(ROOT / "run_sim.py")!r}, "advance", "1d"])
"""
    port = free_ports(1)
    done = run(tmp_path, app, "--webhooks", f"http://127.0.0.1:{port}")
    assert re.search(
        rf"app clock: at \S+, POST http://127.0.0.1:{port}/giftsim/do \(action clock\) got no answer", done.stdout
    )
