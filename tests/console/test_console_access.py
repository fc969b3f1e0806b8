"""Who may use the console: as with the control API, its own pages on this machine, or browsers with the token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from gzip import decompress

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.control.access import Access
from tests.support.console import ACCEPT, HOST, Console
from tests.support.worlds import World

TOKEN = "a-token-for-the-console"
SOCKET = {"giftsim.in_process": False}


def get(simulator: Simulator, path: str, **headers: str) -> Response:
    """The answer to a GET that comes over a socket."""
    return simulator.client.call("GET", path, headers={"Accept": ACCEPT, **headers}, environ=SOCKET)


def sign_in(simulator: Simulator) -> Response:
    """The answer to the token."""
    return simulator.client.call(
        "POST", "/console/sign-in", body=f"token={TOKEN}", environ=SOCKET,
        headers={"Host": "localhost:8080", "Content-Type": "application/x-www-form-urlencoded"},
    )  # fmt: skip


@pytest.mark.parametrize("path", ["/console/docs/", "/console/docs/how-to/install", "/console/docs/find?q=install"])
def test_a_foreign_host_sees_no_page_of_the_documentation(world: World, path: str) -> None:
    assert get(world.simulator, path, Host="evil.example").status == 403
    assert get(world.simulator, path, Host=HOST).status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "giftsim"])
def test_a_foreign_host_sees_nothing(world: World, host: str) -> None:
    for path in ("/", f"/w/{world.id}/", f"/w/{world.id}/worlds"):
        response = get(world.simulator, path, Host=host)
        assert response.status == 403
        assert "host name" in response.text


FORM = {"Host": "localhost:8080", "Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://[", "null"])
def test_a_page_of_another_origin_can_do_nothing(world: World, origin: str) -> None:
    before, headers = world.now, {**FORM, "Origin": origin}
    path = f"/w/{world.id}/time/advance"
    response = world.client.call("POST", path, body="by=1d", environ=SOCKET, headers=headers)
    assert response.status == 403
    assert world.now == before


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("orders", "GET, HEAD, OPTIONS"),
        ("time/advance", "POST, OPTIONS"),
        ("/console/sign-in", "GET, HEAD, POST, OPTIONS"),
    ],
)
def test_a_page_says_which_methods_it_takes_always_in_the_same_order(world: World, path: str, methods: str) -> None:
    address = path if path.startswith("/") else f"/w/{world.id}/{path}"
    answers = [world.client.call(method, address, environ=SOCKET, headers=FORM) for method in ("OPTIONS", "PUT")]
    assert [(each.status, each.headers.get("allow")) for each in answers] == [(200, methods), (405, methods)]


def test_a_referer_that_is_not_a_url_leads_home(world: World) -> None:
    headers = {**FORM, "Referer": "http://["}
    response = world.client.call("POST", f"/w/{world.id}/time/advance", body="by=1d", environ=SOCKET, headers=headers)
    assert (response.status, response.headers["location"]) == (303, f"/w/{world.id}/")


@pytest.mark.parametrize("then", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_no_action_leads_to_another_site(console: Console, then: str) -> None:
    console.open()
    console.press("+1 h", then=then)
    assert console.path == f"/w/{console.world}/"


def test_pages_load_nothing_from_elsewhere_and_run_no_code_of_their_own(console: Console) -> None:
    page = console.open()
    policy = console.response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for name, attributes in page.elements:
        assert not {attribute for attribute in attributes if attribute == "style" or attribute.startswith("on")}, name
        for link in (attributes.get("src"), attributes.get("href")):
            assert link is None or link.startswith(("/", "#")), link


class TestWithToken:
    """A simulator that other machines reach."""

    @pytest.fixture
    def guarded(self) -> Iterator[Simulator]:
        simulator = Simulator(fixture="bare", access=Access(token=TOKEN))
        yield simulator
        simulator.close()

    def test_the_console_asks_for_the_token_and_then_goes_on(self, guarded: Simulator) -> None:
        console = Console(guarded)
        assert console.open("worlds").heading == "Sign in"
        assert console.press("Sign in", token="wrong").heading == "Sign in"
        assert (console.status, "This is not the token." in console.page.text) == (403, True)
        assert console.press("Sign in", token=TOKEN).heading == "Worlds"
        console.open()
        assert "It is " in console.press("+1 h").text

    def test_the_cookie_is_kept_from_scripts_and_other_sites(self, guarded: Simulator) -> None:
        console = Console(guarded)
        console.open("/console/sign-in")
        form = console.page.form("Sign in")
        response = guarded.client.call(
            "POST", "/console/sign-in", body=f"token={TOKEN}&then=//evil.example", environ=SOCKET,
            headers={"Host": "localhost:8080", "Content-Type": "application/x-www-form-urlencoded"},
        )  # fmt: skip
        assert form.method == "post"
        assert (response.status, response.headers["location"]) == (303, "/")
        cookie = response.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert TOKEN not in cookie
        assert "Secure" not in cookie  # the browser would not send it by plain HTTP

    def test_the_cookie_of_https_is_for_https(self, guarded: Simulator) -> None:
        guarded.registry.runtime.origin = "https://giftsim.example"
        assert "; Secure" in sign_in(guarded).headers["set-cookie"]

    def test_each_session_is_another_and_every_process_with_the_token_takes_it(self, guarded: Simulator) -> None:
        cookies = [sign_in(guarded).headers["set-cookie"].partition(";")[0] for _ in range(2)]
        assert len(set(cookies)) == 2
        with closing(Simulator(fixture="bare", access=Access(token=TOKEN))) as other:
            assert get(other, "/w/default/worlds", Host=HOST, Cookie=cookies[0]).status == 200
            forged = f"{cookies[0][:-1]}{'0' if cookies[0][-1] != '0' else '1'}"
            assert get(other, "/w/default/worlds", Host=HOST, Cookie=forged).status == 303
            assert get(other, "/w/default/worlds", Host=HOST, Cookie=f"giftsim-control={TOKEN}x").status == 303
        with closing(Simulator(fixture="bare", access=Access(token=f"{TOKEN}-anew"))) as anew:
            assert get(anew, "/w/default/worlds", Host=HOST, Cookie=cookies[0]).status == 303

    def test_without_the_token_nothing_is_done(self, guarded: Simulator) -> None:
        response = guarded.client.call(
            "POST", "/w/default/time/advance", body="by=1d", environ=SOCKET,
            headers={"Host": "localhost:8080", "Content-Type": "application/x-www-form-urlencoded"},
        )  # fmt: skip
        assert response.status == 303
        assert response.headers["location"].startswith("/console/sign-in")
        assert guarded.registry.worlds["default"].state.now_ms == guarded.registry.worlds["default"].config.now_ms


def test_a_browser_that_takes_gzip_gets_pages_and_scripts_compressed(console: Console, world: World) -> None:
    for path in (f"/w/{world.id}/", "/console/console.css", "/console/live.js"):
        plain = console.client.call("GET", path, headers={"Host": HOST})
        packed = console.client.call("GET", path, headers={"Host": HOST, "Accept-Encoding": "gzip, br"})
        assert packed.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in packed.headers["vary"]
        assert "Accept-Encoding" in plain.headers["vary"]
        assert "content-encoding" not in plain.headers
        assert len(packed.body) < len(plain.body) / 2
        assert decompress(packed.body)[:100] == plain.body[:100]
    refused = console.client.call("GET", "/console/live.js", headers={"Host": HOST, "Accept-Encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers
