"""The work that the console makes in a world with many orders, counted: `python -m tests.support.console_work 300`.

It prints, as JSON, the calls of Python functions and the bytes of every page that links lead to, and the calls of every
action of these pages, each in a fork of the world. It runs in a process of its own, as `tests.support.work` does.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.url_paths import CONTROL
from tests.support.console import ACCEPT, HOST, Console
from tests.support.console_map import console, reachable_pages
from tests.support.console_pages import APART
from tests.support.console_story import play_story
from tests.support.html_page import Form, parse_html
from tests.support.orders import email_recipients
from tests.support.work import RENO, Work, expect

VISITS = 2
NUMBER = re.compile(r"[0-9a-f-]{8,}|[0-9]+")
# What a user would enter into a field that is empty.
TYPED = {
    "when": "1d", "name": "again", "to": "2d", "host": "hooks.partner.example", "value": "5", "q": "bo",
    "amount": "26.00", "balance": "100", "source": "scenario: a\nsteps: []\n", "text": "scenario: a\nsteps: []\n",
}  # fmt: skip
SEARCHES = (
    *("orders?q={}", "gifts?q={}", "people/recipients?q={}", "calls?q={}"),
    *("webhooks?q={}", "inbox?q={}", "find?q={}"),
)
MANY = 100  # recipients of the largest order


class LargeWorld:
    """A world in which everything has happened, and so many orders were made at one instant."""

    def __init__(self, orders: int) -> None:
        self.simulator = Simulator(fixture="bare")
        self.client = self.simulator.client
        self.world = play_story(self.simulator)
        self.control = f"{CONTROL}/worlds/{self.world}"
        self._post("/simulate/account", {"key": "partner.prepaid", "add_cents": 10**11})
        for n in range(orders):
            self._order(n, [{"name": "Bo", "email": "bo@example.com"}])
        self._order(orders, email_recipients(MANY))
        self._order(orders + 1, [{"name": "Bo", "address": RENO}])

    def pages(self) -> list[str]:
        """The addresses of the pages that links lead to, and of what a user looks for."""
        browser, start = Console(self.simulator, self.world), f"/w/{self.world}/"
        found = reachable_pages(console(), browser, start, visits=VISITS, within=start, apart=APART)
        searches = [start + each.format(text) for each in SEARCHES for text in ("bo", "nothing")]
        return [path for pages in found.values() for path, _ in pages] + searches + [f"{start}time/preview?by=30d"]

    def get(self, path: str) -> Response:
        """A page, as a browser updates it."""
        headers = {"Host": HOST, "Accept": ACCEPT, "Giftsim-Update": "true"}
        return self.client.call("GET", path, headers=headers, environ={"giftsim.in_process": False})

    def actions(self, paths: list[str]) -> Iterator[tuple[str, str, dict[str, str], str]]:
        """The actions of pages: a name, the address, the fields, and the page. One of each kind."""
        names = set[str]()
        for path in paths:
            for form in parse_html(self.get(path).text).forms:
                for name, address, fields in _actions_of(form, path):
                    if name not in names:
                        names.add(name)
                        yield name.replace(f"/w/{self.world}/", ""), address, fields, path

    def act(self, address: str, fields: dict[str, str], path: str) -> Work:
        """The work of an action and of the page that it leads to, in a fork of the world."""
        fork = self._post("/fork", {}).json()["id"]
        page = path.replace(self.world, fork)
        headers = {"Host": HOST, "Accept": ACCEPT, "Referer": f"http://{HOST}{page}", "Giftsim-Page": page}
        form = {"Origin": f"http://{HOST}", "Content-Type": "application/x-www-form-urlencoded"}
        sent = (address.replace(self.world, fork), urlencode(fields).replace(self.world, fork))
        work, answers = Work(), list[Response]()

        def call(method: str, to: str, body: str | None, more: dict[str, str]) -> None:
            own = {"giftsim.in_process": False}
            answers.append(self.client.call(method, to, body=body, headers={**headers, **more}, environ=own))

        work.count(lambda: call("POST", *sent, form))
        goes_to = answers[0].headers.get("giftsim-goes-to") or answers[0].headers.get("location")
        if goes_to:
            cookie = {"Cookie": answers[0].headers.get("set-cookie", "").partition(";")[0]}
            work.count(lambda: call("GET", goes_to, None, cookie))
        self.client.call("DELETE", f"{CONTROL}/worlds/{fork}")
        return work

    def _order(self, n: int, recipients: list[Any]) -> None:
        body = {
            "idempotency_key": f"large-{n}", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
            "recipients": recipients,
        }  # fmt: skip
        key = {"Authorization": f"Bearer pk_live_{self.world}_prepaid"}
        expect(self.client.call("POST", "/api/external/team-orders", body=body, headers=key).status, 201)

    def _post(self, path: str, body: dict[str, Any]) -> Response:
        answer = self.client.call("POST", self.control + path, body=body)
        expect(answer.status // 100, 2)
        return answer


def _actions_of(form: Form, path: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    for button in form.buttons:
        address = (button.get("formaction") or form.action or path).partition("#")[0]
        if (button.get("formmethod") or form.method).upper() == "POST" and button["enabled"]:
            pressed = {button["name"]: button.get("value", "")} if "name" in button else {}
            fields = {name: value or TYPED.get(name, "") for name, value in {**form.fields, **pressed}.items()}
            verb = f" {button['name']}={NUMBER.sub('N', button.get('value', ''))}" if pressed else ""
            yield NUMBER.sub("N", address) + verb, address, fields


def figures(orders: int) -> dict[str, dict[str, int]]:
    """The calls and bytes of every page, by its address, and the calls of every action, by what it is."""
    large = LargeWorld(orders)
    paths, found = large.pages(), dict[str, dict[str, int]]()
    for path in paths:
        size = len(large.get(path).body)  # the first time loads and caches what all pages share
        found[path] = {"calls": _calls(Work().count(partial(large.get, path))), "bytes": size}
    for name, address, fields, path in large.actions(paths):
        found[name] = {"calls": _calls(large.act(address, fields, path)), "bytes": 0}
    return found


def _calls(work: Work) -> int:
    return sum(work.functions.values())


def main() -> None:
    """Print the figures of a world with so many orders."""
    sys.stdout.write(json.dumps(figures(int(sys.argv[1])), indent=1))


if __name__ == "__main__":
    main()
