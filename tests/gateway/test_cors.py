"""Pages of other origins: kept out unless they are allowed by name (G102)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.engine.control.access import Access
from giftsim.engine.gateway.cors import read_origin
from tests.support.listening import listening
from tests.support.orders import order_body
from tests.support.served_simulator import HttpClient

LOCAL = "http://localhost:3000"
FOREIGN = (
    "https://evil.example",
    "http://localhost:3001",
    "https://localhost:3000",
    "null",
    "http://localhost:30000",
    "",
)
PREFLIGHT = {
    "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type",
}  # fmt: skip
KEY = {"Authorization": "Bearer pk_live_default_prepaid"}
PATHS = ("/api/external/team-orders", "/_sim/v1/worlds/default", "/openapi", "/nothing")


def served(*origins: str) -> Iterator[HttpClient]:
    """A server that allows these origins."""
    with listening(Simulator(fixture="empty", access=Access()), cors_allow=origins) as server:
        yield HttpClient(server.host, server.port)


@pytest.fixture(scope="module")
def allowing() -> Iterator[HttpClient]:
    """A server that allows a local page."""
    yield from served(LOCAL, "http://app.localhost")


@pytest.fixture(scope="module")
def closed() -> Iterator[HttpClient]:
    """A server as it is by default."""
    yield from served()


def cors_headers(answer: Any) -> dict[str, str]:
    """What an answer tells a browser about other origins."""
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


@pytest.mark.parametrize("path", PATHS)
def test_a_preflight_of_an_allowed_page_lets_everything_through(allowing: HttpClient, path: str) -> None:
    answer = allowing.call("OPTIONS", path, headers={"Origin": LOCAL, **PREFLIGHT})
    assert (answer.status, answer.body) == (204, b"")
    assert cors_headers(answer) == {
        "access-control-allow-origin": LOCAL,
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": "authorization,content-type",
        "access-control-max-age": "600",
    }
    assert "Origin" in answer.headers["vary"]


def test_a_preflight_for_this_machine_may_reach_it(allowing: HttpClient) -> None:
    sent = {"Origin": LOCAL, **PREFLIGHT, "Access-Control-Request-Private-Network": "true"}
    answer = allowing.call("OPTIONS", "/openapi", headers=sent)
    assert answer.headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize("path", PATHS)
def test_an_allowed_page_may_read_every_answer_also_an_error(allowing: HttpClient, path: str) -> None:
    answer = allowing.call("GET", path, headers={"Origin": LOCAL, **KEY})
    assert answer.status == (404 if path == "/nothing" else 200)
    told = cors_headers(answer)
    exposed = told.pop("access-control-expose-headers").lower().split(", ")
    assert told == {"access-control-allow-origin": LOCAL, "access-control-allow-credentials": "true"}
    assert {"x-request-id", "content-type"} <= set(exposed)
    assert "Origin" in answer.headers["vary"]


def test_an_allowed_page_can_order_and_move_the_clock(allowing: HttpClient) -> None:
    sent = {"Origin": LOCAL, **KEY}
    assert allowing.call("POST", "/api/external/team-orders", body=order_body(), headers=sent).status == 201
    advance = allowing.call(
        "POST", "/_sim/v1/worlds/default/clock/advance", body={"by": "1d"}, headers={"Origin": LOCAL}
    )
    assert advance.status == 200


@pytest.mark.parametrize("origin", FOREIGN)
def test_all_other_pages_stay_out(allowing: HttpClient, closed: HttpClient, origin: str) -> None:
    for client in (allowing, closed):
        for path in PATHS:
            assert cors_headers(client.call("OPTIONS", path, headers={"Origin": origin, **PREFLIGHT})) == {}
            assert cors_headers(client.call("GET", path, headers={"Origin": origin, **KEY})) == {}
        assert client.call("GET", "/_sim/v1/worlds/default", headers={"Origin": origin}).status == 403


def test_nothing_is_allowed_by_default(closed: HttpClient) -> None:
    answer = closed.call("GET", "/openapi", headers={"Origin": LOCAL})
    assert cors_headers(answer) == {}
    assert "vary" not in answer.headers


def test_a_call_without_an_origin_is_answered_as_ever(allowing: HttpClient) -> None:
    answer = allowing.call("GET", "/api/external/team-orders", headers=KEY)
    assert cors_headers(answer) == {}
    assert "Origin" in answer.headers["vary"]  # what a cache keeps for one page is not for another


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("http://localhost:3000", LOCAL),
        ("HTTP://LocalHost:3000/", LOCAL),
        ("https://app.example:443", "https://app.example"),
    ],
)
def test_an_origin_is_taken_as_browsers_send_it(text: str, origin: str) -> None:
    assert read_origin(text) == origin


@pytest.mark.parametrize(
    "text",
    ["*", "null", "", "localhost:3000", "http://", "http://a/b", "ftp://a", "http://u@a", "http://a:x", "http://[", "http://a?x"],
)  # fmt: skip
def test_what_is_not_an_origin_is_refused_with_an_example(text: str) -> None:
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--cors-allow", text])
    assert done.exit_code == 2
    assert "--cors-allow is the origin of a page, like http://localhost:3000, not" in done.output
