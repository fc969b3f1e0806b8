"""The console as a browser without scripts uses it: pages, links and forms, with cookies and redirects."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urlsplit

from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response
from tests.support.api_clients import PartnerClient
from tests.support.html_page import Form, HtmlPage, parse_html
from tests.support.worlds import World

ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
HOST = "localhost:8080"


class Console:
    """A browser at the console of a simulator. `page` is what it shows, `status` and `response` how it came."""

    def __init__(self, simulator: Simulator, world: str = "default") -> None:
        self.client: InProcessClient = simulator.client
        self.world = world
        self.cookies: dict[str, str] = {}
        self.path = ""
        self.page = HtmlPage()
        self.response: Response

    @property
    def status(self) -> int:
        """The status of the last answer."""
        return self.response.status

    def open(self, path: str = "") -> HtmlPage:
        """Open a page: a path, or what follows `/w/{world}/`."""
        return self._go("GET", path if path.startswith("/") else f"/w/{self.world}/{path}")

    def follow(self, link: str) -> HtmlPage:
        """Click a link of the page by its text."""
        return self._go("GET", self.page.link(link).partition("#")[0])

    def follow_row(self, title: str) -> HtmlPage:
        """Click the row of a list that begins with a title."""
        return self._go("GET", next(href for text, href in self.page.links if text.startswith(f"{title} ")))

    def press(self, button: str, **fields: str) -> HtmlPage:
        """Press a button of the page, with other values for some fields of its form; write `__` for a dot in a name."""
        form = self.page.form(button)
        pressed = next(each for each in form.buttons if each["text"] == button)
        assert pressed["enabled"], f"the button {button!r} is greyed"
        return self.submit(form, pressed, **{name.replace("__", "."): value for name, value in fields.items()})

    def search(self, text: str) -> HtmlPage:
        """Type a text into the search field of the page, and press Enter."""
        form = next(form for form in self.page.forms if "q" in form.fields and not form.buttons)
        return self.submit(form, q=text)

    def submit(self, form: Form, pressed: dict[str, Any] | None = None, **fields: str) -> HtmlPage:
        """Send a form as it is filled in, with other values for some of its fields."""
        own = {pressed["name"]: pressed.get("value", "")} if pressed and "name" in pressed else {}
        values = {**form.fields, **own, **fields}
        action = (pressed or {}).get("formaction") or form.action or self.path
        method = ((pressed or {}).get("formmethod") or form.method).upper()
        if method == "GET":
            return self._go("GET", f"{action.partition('?')[0]}?{urlencode(values)}")
        return self._go("POST", action, urlencode(values))

    def _go(self, method: str, path: str, body: str | None = None) -> HtmlPage:
        path = path.partition("#")[0]
        headers = {"Host": HOST, "Accept": ACCEPT, "Referer": f"http://{HOST}{self.path}"}
        if method == "POST":
            headers |= {"Origin": f"http://{HOST}", "Content-Type": "application/x-www-form-urlencoded"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        # As over a socket: nothing in the simulator trusts a browser more than that.
        self.response = self.client.call(
            method, path, body=body, headers=headers, environ={"giftsim.in_process": False}
        )
        self._keep_cookies()
        if self.response.status in (301, 303):
            return self._go("GET", self.response.headers["location"])
        parts = urlsplit(path)
        self.path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        self.page = parse_html(self.response.text)
        return self.page

    def _keep_cookies(self) -> None:
        for morsel in SimpleCookie(self.response.headers.get("set-cookie", "")).values():
            if morsel.value and morsel["max-age"] != "0":
                self.cookies[morsel.key] = morsel.value
            else:
                self.cookies.pop(morsel.key, None)


def claim_order(world: World, partner: PartnerClient, name: str = "Bo") -> str:
    """An order that is claimed, so that its event waits for the hourly run; the endpoint's secret."""
    secret = str(partner.subscribe("team_order.claimed")["secret"])
    recipients = [{"name": name, "email": "bo@example.com"}]
    order = partner.create_order(recipients=recipients).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    return secret
