"""`giftsim run` and `giftsim serve trust` with the clients of other languages."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.http_receiver import OK_RESPONSE, http_receiver, respond_always
from tests.support.node_packages import node_packages
from tests.support.orders import order_body
from tests.support.served_simulator import ROOT, ServedSimulator, serve_simulator
from tests.support.tools import require_tool

PROGRAMS = Path(__file__).parent / "clients"
VENDOR = "https://gifts.vendor.example"
ORDERS = "/api/external/team-orders"
GIFTSIM = (sys.executable, str(ROOT / "run_sim.py"))
TIMEOUT_S = 120
# By name: the program, Debian's package that has it, and what runs the client.
CLIENTS = {
    "fetch": ("node", "nodejs", ["node", "call_fetch.mjs"]),
    "https": ("node", "nodejs", ["node", "call_https.mjs"]),
    "axios": ("npm", "npm", ["node", "call_axios.mjs"]),
    "curl": ("curl", "curl", ["sh", "call_curl.sh"]),
    "go": ("go", "golang-go", ["go", "run", "call.go"]),
    "java": ("java", "default-jdk-headless", ["java", "Call.java"]),
    "ruby": ("ruby", "ruby", ["ruby", "call.rb"]),
    "php": ("php", "php-cli", ["php", "call.php"]),
    "requests": ("sh", "dash", [sys.executable, "call.py"]),
}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a user who has no authority yet, with caches of the tools."""
    folder = tmp_path_factory.mktemp("user")
    left_out = ("http_proxy", "https_proxy", "no_proxy")
    kept = {name: value for name, value in os.environ.items() if name.lower() not in left_out}
    own = {
        "GIFTSIM_STATE": str(folder / "state"),
        "GOCACHE": str(folder / "go"),
        "GO111MODULE": "off",
        "GOTOOLCHAIN": "local",
    }
    return {**kept, **own, "PYTHONPATH": str(ROOT / "simulator")}


def command(name: str, folder: Path) -> list[str]:
    """The command of a client, in a folder with its program."""
    program, package, words = CLIENTS[name]
    require_tool(program, package)
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    if name == "axios":
        (folder / "node_modules").symlink_to(node_packages())
    return words


def finished(words: list[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, env=dict(environment), capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


@pytest.mark.parametrize("client", CLIENTS)
def test_an_order_to_the_vendors_host_is_answered_here(client: str, state: dict[str, str], tmp_path: Path) -> None:
    words = [*command(client, tmp_path), VENDOR + ORDERS, json.dumps(order_body())]
    done = finished([*GIFTSIM, "run", "--route", f"{VENDOR}=partner.prepaid", "--", *words], tmp_path, state)
    assert done.returncode == 0, done.stderr
    status, body = done.stdout.split(" ", 1)
    assert (status, json.loads(body)["team_order"]["status"]) == ("201", "collecting_addresses")
    assert f"giftsim: 1 call to {VENDOR}\n  201 POST {ORDERS}\n" in done.stderr


@pytest.mark.parametrize("client", CLIENTS)
def test_a_plain_http_host_is_answered_too(client: str, state: dict[str, str], tmp_path: Path) -> None:
    words = [*command(client, tmp_path), f"http://gifts.vendor.example{ORDERS}", json.dumps(order_body())]
    route = "http://gifts.vendor.example=partner.prepaid"
    done = finished([*GIFTSIM, "run", "--route", route, "--", *words], tmp_path, state)
    assert (done.returncode, done.stdout.split()[0]) == (0, "201"), done.stderr


@pytest.mark.parametrize("client", CLIENTS)
def test_other_hosts_are_refused_and_the_summary_says_so(client: str, state: dict[str, str], tmp_path: Path) -> None:
    words = [*command(client, tmp_path), "https://other.example/", "{}"]
    done = finished([*GIFTSIM, "run", "--route", VENDOR, "--", *words], tmp_path, state)
    assert "201" not in done.stdout
    assert "giftsim: not called: other.example:443" in done.stderr or "not called: https://other.example" in done.stderr
    assert f"giftsim: nothing called {VENDOR}" in done.stderr


@pytest.mark.parametrize("client", ["fetch", "https", "axios"])
@pytest.mark.parametrize("url", ["http://other.example/", "https://other.example/"])
def test_an_app_in_node_is_told_how_to_go_on(client: str, url: str, state: dict[str, str], tmp_path: Path) -> None:
    words = [*command(client, tmp_path), url, "{}"]
    done = finished([*GIFTSIM, "run", "--route", VENDOR, "--", *words], tmp_path, state)
    told = done.stdout + done.stderr
    assert "giftsim run did not call " in told
    assert "name it with --route, or pass all others with --others pass" in told


def test_a_client_that_rejects_the_certificate_is_told_what_to_give_it(state: dict[str, str], tmp_path: Path) -> None:
    require_tool("wget", "wget")
    routed = [*GIFTSIM, "run", "--route", f"{VENDOR}=partner.prepaid", "--", "sh", "-c"]
    done = finished([*routed, f"wget -q --tries=1 -O- {VENDOR}{ORDERS}"], tmp_path, state)
    assert done.returncode
    assert f"giftsim: nothing called {VENDOR}, but a client connected\n" in done.stderr
    assert "trust the certificate; give it " in done.stderr
    trusting = f'wget -q --tries=1 --ca-certificate "$SSL_CERT_FILE" -O- {VENDOR}{ORDERS}'
    done = finished([*routed, trusting], tmp_path, state)
    assert (done.returncode, done.stderr) == (0, f"giftsim: 1 call to {VENDOR}\n  200 GET {ORDERS}\n")


def test_a_client_of_http2_is_named(state: dict[str, str], tmp_path: Path) -> None:
    require_tool("node", "nodejs")
    client = f"""
import http2 from 'node:http2'
http2.connect('{VENDOR}').on('error', () => {{}}).request().on('error', () => {{}}).end()
"""
    words = ["node", "--input-type=module", "-e", client]
    done = finished([*GIFTSIM, "run", "--route", VENDOR, "--", *words], tmp_path, state)
    assert f"giftsim: a client spoke HTTP/2 to {VENDOR.removeprefix('https://')}, and giftsim speaks" in done.stderr
    assert "not called: *" not in done.stderr


@pytest.fixture(scope="module")
def served(state: dict[str, str]) -> Iterator[ServedSimulator]:
    with serve_simulator("--https", environment=state) as served:
        yield served


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_accepts_the_local_authority_by_its_variable(
    client: str, state: dict[str, str], served: ServedSimulator, tmp_path: Path
) -> None:
    shown = finished([*GIFTSIM, "serve", "trust", "--json"], tmp_path, state)
    words = [*command(client, tmp_path), f"https://localhost:{served.banner['port']}/_sim/v1/worlds", "{}"]
    untrusting = finished(words, tmp_path, state)
    assert not untrusting.stdout.startswith("201")
    trusting = finished(words, tmp_path, {**state, **json.loads(shown.stdout)["variables"]})
    assert trusting.stdout.startswith("201 "), trusting.stderr


def test_webhooks_reach_the_app(state: dict[str, str], tmp_path: Path) -> None:
    order = " ".join([*command("curl", tmp_path), VENDOR + ORDERS, shlex.quote(json.dumps(order_body()))])
    giftsim = shlex.join(GIFTSIM)
    steps = [
        "set -e",
        order,
        f"{giftsim} act claim team_order_id=1027 recipient=0",
        f"{giftsim} advance 6d",
        'test -n "$GIFTSIM_WEBHOOK_SECRET"',
    ]
    (tmp_path / "app.sh").write_text("\n".join(steps))
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        url = f"http://127.0.0.1:{receiver.port}/hooks"
        options = ["--route", f"{VENDOR}=partner.prepaid", "--webhooks", url]
        done = finished([*GIFTSIM, "run", *options, "--", "sh", "app.sh"], tmp_path, state)
        assert done.returncode == 0, done.stderr
        assert receiver.requests
    assert f"webhooks to {url}\n" in done.stderr
    assert "  200 team_order.shipped" in done.stderr
