"""A newcomer's first webhook of an app of their own, from the page alone. The app is a process, clicks are counted."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import pytest

from giftsim import verify
from tests.support.browser import BrowserThread, Visit, press
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_CLICKS = 4
COUNT = """addEventListener("click", event => {
  if (event.isTrusted) sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks") ?? 0) + 1);
}, true)"""
# An app as somebody writes it: it places an order, and takes webhooks whose signature is right.
APP = """
import json, os, sys, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

class App(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        told = {"path": self.path, "type": json.loads(body)["type"], "signature": self.headers["X-Service-Signature"]}
        print(json.dumps({**told, "body": body.decode()}), flush=True)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", 0), App)
print(server.server_port, flush=True)
reno = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
order = {
    "idempotency_key": "mine",
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "address": reno}],
}
call = urllib.request.Request(
    os.environ["GIFTS_URL"] + "/team-orders",
    json.dumps(order).encode(),
    {"Authorization": "Bearer " + os.environ["GIFTS_KEY"], "Content-Type": "application/json"},
)
print(urllib.request.urlopen(call).status, flush=True)
server.serve_forever()
"""


@pytest.fixture
def page_of_its_own() -> bool:
    """The counter stays in its page."""
    return True


@contextmanager
def running_app(lines: str) -> Iterator[IO[str]]:
    """The app with its address and key as a `.env` file has them; what it prints."""
    environment = dict(line.split("=", 1) for line in lines.splitlines())
    command = [sys.executable, "-c", APP]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout
        process.kill()


def light(page: Page, number: int) -> tuple[str, str]:
    """What a light of the start says, and its colour."""
    found = page.locator("#start .light").nth(number)
    return found.inner_text(), (found.get_attribute("class") or "").removeprefix("light ")


def test_a_newcomer_gets_the_first_webhook_in_their_own_app_from_the_page_alone(
    browser_thread: BrowserThread, visit: Visit, new_world: Callable[..., World]
) -> None:
    page, world = visit.page, new_world(fixture="default")
    page.add_init_script(COUNT)
    page.goto(f"/w/{world.id}/")
    assert light(page, 0) == ("Waiting for the first call of your app", "off")
    page.locator("#start summary", has_text=".env").click()
    lines = page.locator("#as-env pre").inner_text()
    with running_app(lines) as said:
        port, status = said.readline().strip(), said.readline().strip()
        assert status == "201"
        page.locator("#start .light.good").first.wait_for()  # the page follows its world
        assert light(page, 0)[0] == "Your app has called: POST /api/external/team-orders, 201"
        page.get_by_label("Port, or address").fill(f"{port}/hooks/gifts")
        page.get_by_role("button", name="Send webhooks there").click()
        page.locator("#start .light.good").nth(1).wait_for()
        assert light(page, 1)[0] == "Your app has answered a webhook"
        test = json.loads(said.readline())
        assert (test["path"], test["type"]) == ("/hooks/gifts", "ping")
        assert_signed(test, page.locator("#start code", has_text="whsec_").inner_text())
        press(page, "+1 w")
        real = [json.loads(said.readline())["type"] for _ in range(2)]
        assert real == ["team_order.shipped", "team_order.delivered"]
    assert int(page.evaluate("Number(sessionStorage.getItem('clicks'))")) <= MOST_CLICKS
    press(page, "Hide")
    assert page.locator("#start").count() == 0


def assert_signed(webhook: dict[str, Any], secret: str) -> None:
    """The signature of a webhook is right for the secret that the page shows."""
    verify.webhook(webhook["body"].encode(), webhook["signature"], secret)


def test_an_app_that_does_not_answer_turns_the_light_red_and_says_why(
    page: Page, new_world: Callable[..., World]
) -> None:
    world = new_world(fixture="default")
    page.goto(f"/w/{world.id}/")
    page.get_by_label("Port, or address").fill("1/hooks")
    page.get_by_role("button", name="Send webhooks there").click()
    page.locator("#start .light.bad").wait_for()
    assert light(page, 1)[0] == "No answer: connection refused at 127.0.0.1:1"
    assert light(page, 0)[1] == "off"  # what the page itself called does not count
    assert world.rows("endpoints")[0]["url"] == "https://your-app.example/hooks"
