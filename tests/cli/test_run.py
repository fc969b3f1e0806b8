"""The command `run`: what its proxy does with calls, what it prints, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from tests.support.http_receiver import OK_RESPONSE, http_receiver, respond_always
from tests.support.orders import order_body
from tests.support.served_simulator import ROOT

VENDOR = "https://gifts.vendor.example"
ORDERS = "/api/external/team-orders"
# A program as a user has one: it knows the vendor's URL only. Its words: METHOD URL [BODY [HEADER VALUE]].
APP = """
import json, sys, requests
method, url, *rest = sys.argv[1:]
body, headers = (rest + ["{}"])[0], {"Content-Type": "application/json"}
if len(rest) > 1: headers[rest[1]] = rest[2]
answer = requests.request(method, url, data=body if method == "POST" else None, headers=headers, timeout=60)
print(answer.status_code, answer.text)
"""


def run(folder: Path, *arguments: str, app: str = APP, words: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """`giftsim run ARGUMENTS -- python app.py WORDS`."""
    (folder / "app.py").write_text(app)
    command = [sys.executable, str(ROOT / "run_sim.py"), "run", *arguments, "--", sys.executable, "app.py", *words]
    environment = {"GIFTSIM_STATE": str(folder / "state"), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, timeout=240, check=False
    )


def refused(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments, "--", sys.executable, "-c", "pass"])


def test_calls_below_the_route_get_its_credential(tmp_path: Path) -> None:
    words = ("POST", VENDOR + ORDERS, json.dumps(order_body()))
    done = run(tmp_path, "--route", f"{VENDOR}=partner.prepaid", words=words)
    assert (done.returncode, done.stdout[:3]) == (0, "201")
    assert done.stderr == f"giftsim: 1 call to {VENDOR}\n  201 POST {ORDERS}\n"


def test_a_host_of_other_letters_is_answered_in_each_spelling(tmp_path: Path) -> None:
    """The first is looked up by requests as the last, and by clients with IDNA 2003 as the second."""
    app = f"""
import requests
for host in ("straße.example", "strasse.example", "xn--strae-oqa.example"):
    print(requests.get(f"https://{{host}}{ORDERS}", timeout=60).status_code)
"""
    done = run(tmp_path, "--route", "https://straße.example=partner.prepaid", app=app)
    assert (done.stdout.split(), done.stderr) == (
        ["200"] * 3,
        f"giftsim: 3 calls to https://straße.example\n  200 GET {ORDERS} (3 times)\n",
    )


def test_a_dropped_answer_breaks_the_connection_of_the_app(tmp_path: Path) -> None:
    words = ("POST", VENDOR + ORDERS, json.dumps(order_body()), "X-Sim-Fault", "drop=after")
    done = run(tmp_path, "--route", f"{VENDOR}=partner.prepaid", words=words)
    assert done.returncode == 1
    assert "Remote end closed connection without response" in done.stderr
    assert f"  --- POST {ORDERS}\n" in done.stderr


def test_the_exit_status_is_that_of_the_program_and_quiet_prints_no_summary(tmp_path: Path) -> None:
    done = run(tmp_path, "--quiet", app="import os, sys; print(os.environ['GIFTSIM_PARTNER_PREPAID']); sys.exit(7)")
    assert (done.returncode, done.stdout, done.stderr) == (7, "pk_live_default_prepaid\n", "")


def test_a_program_that_makes_no_call_is_told_what_to_do(tmp_path: Path) -> None:
    done = run(tmp_path, app="pass")
    assert done.returncode == 0
    assert done.stderr == (
        "giftsim: no call came: the app must call the address in GIFTSIM_URL, or name the URL that it calls with"
        " --route\n"
    )
    call = "import os, urllib.request; urllib.request.urlopen(os.environ['GIFTSIM_URL'])"
    assert run(tmp_path, app=call).stderr == ""


def test_options_of_the_program_and_of_node_and_java_stay(tmp_path: Path) -> None:
    app = "import os; print(os.environ['NODE_OPTIONS']); print(os.environ['JAVA_TOOL_OPTIONS'])"
    (tmp_path / "app.py").write_text(app)
    environment = {"NODE_OPTIONS": "--no-warnings", "JAVA_TOOL_OPTIONS": "-Da=b", "GIFTSIM_STATE": str(tmp_path)}
    command = [sys.executable, str(ROOT / "run_sim.py"), "run", "-q", "--route", VENDOR, "--", sys.executable, "app.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=True)
    node, java = done.stdout.splitlines()
    assert node.startswith("--no-warnings --require ")
    assert java.startswith("-Da=b -Dhttp.proxyHost=127.0.0.1 ")


def test_webhooks_go_to_the_app_whatever_host_it_subscribed(tmp_path: Path) -> None:
    app = f"""
import os, requests
made = requests.post("{VENDOR}/api/external/webhooks", json={{"url": "https://shop.example/own", "events": ["ping"]}})
sent = requests.post("{VENDOR}/api/external/webhooks/test", json={{}})
print("GIFTSIM_WEBHOOK_SECRET" in os.environ)
requests.post("{VENDOR}{ORDERS}", json={order_body()!r})
control = os.environ["GIFTSIM_CONTROL"]
requests.post(control + "/simulate/claim", json={{"team_order_id": 1027, "recipient": 0}}).raise_for_status()
requests.post(control + "/clock/advance", json={{"by": "6d"}}).raise_for_status()
"""
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        url = f"http://127.0.0.1:{receiver.port}/hooks"
        done = run(tmp_path, "--route", f"{VENDOR}=partner.prepaid", "--webhooks", url, app=app)
        assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
        assert any(request.startswith(b"POST /hooks ") for request in receiver.requests)
    assert f"webhooks to {url}\n  200 team_order.claimed\n" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--route", "gifts.vendor.example"], "is not a route like https://gifts.vendor.example=partner.prepaid"),
        (["--route", f"{VENDOR}=partner.prepayed"], "has no credential 'partner.prepayed'; did you mean"),
        (["--route", f"{VENDOR}=partner.prepaid,too=/x"], "'too=/x' is not a part of a route"),
        (["--route", f"{VENDOR},replace_key"], "'replace_key' is not a part of a route"),
        (["--webhooks", "https://shop.example/hooks"], "--webhooks is the address of a server on this machine"),
        (["--webhooks", "http://shop.example/hooks"], "--webhooks: Receiver *: http://shop.example"),
        (["--others", "pass"], "--others cannot take effect: without --route"),
        (["--clock", "sometimes"], "--clock"),
        (["--now", "soon"], "--now"),
    ],
)
def test_what_cannot_run_is_refused_before_the_program_starts(arguments: list[str], message: str) -> None:
    done = refused(*arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_a_program_that_does_not_exist_is_named() -> None:
    done = CliRunner().invoke(main, ["run", "--", "no-such-program"])
    assert done.exit_code == 2
    assert "no-such-program cannot be run: No such file or directory" in done.stderr


def test_the_exchanges_of_all_worlds_are_written_as_har(tmp_path: Path) -> None:
    app = f"""
import os, requests
url, control = os.environ["GIFTSIM_URL"], os.environ["GIFTSIM_URL"] + "/_sim/v1/worlds"
order = {order_body()!r}
own = requests.post(control, json={{"id": "own", "fixture": "empty"}}).json()
for world in ("default", "own", "default"):
    headers = requests.get(f"{{control}}/{{world}}").json()["credentials"]["partner.prepaid"]["headers"]
    hook = {{"url": "https://hooks.partner.example/in", "events": ["team_order.claimed"]}}
    requests.post(url + "/api/external/webhooks", json=hook, headers=headers)
    made = requests.post(url + "{ORDERS}", json=order, headers=headers).json()["team_order"]["id"]
    requests.post(f"{{control}}/{{world}}/simulate/claim", json={{"team_order_id": made, "recipient": 0}})
    requests.post(f"{{control}}/{{world}}/clock/advance", json={{"by": "10d"}})
    requests.post(f"{{control}}/{{world}}/reset")
"""
    done = run(tmp_path, "--fixture", "empty", "--har", "run.har", app=app)
    assert done.returncode == 0, done.stderr
    entries = json.loads((tmp_path / "run.har").read_text())["log"]["entries"]
    assert [(each["_kind"], each.get("_world")) for each in entries] == [
        (kind, world) for world in (None, "own", None) for kind in ("call", "call", "webhook")
    ]
    assert {each["startedDateTime"][:13] for each in entries if each["_kind"] == "webhook"} == {"2027-01-04T10"}
    assert all(each["time"] > 0 and each["_realStarted"] > "2026" for each in entries if each["_kind"] == "call")


def test_har_does_not_replace_a_file_with_content(tmp_path: Path) -> None:
    file = tmp_path / "run.har"
    file.write_text("mine")
    assert "exists already and stays as it is" in refused("--har", str(file)).stderr
    assert file.read_text() == "mine"
