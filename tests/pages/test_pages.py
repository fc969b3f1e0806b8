"""The answers for paths and methods that nothing serves (G101)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.client.response import Response
from giftsim.engine.pages.responses import DARK_PAPERS, LEAST_CONTRAST, LIGHT_PAPERS, Theme, contrast
from tests.support.worlds import World

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
LIBRARIES = re.compile(r"werkzeug|flask|requested URL|proxy\) sent|manually|spelling", re.IGNORECASE)


def get(world: World, path: str, **headers: str) -> Response:
    """The answer to a GET."""
    return world.client.call("GET", path, headers=headers)


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/team-orders", "/api/external/team-orders"),
        ("/openapi/partner", "/openapi/partner.json"),
        ("/openapi/partners.json", "/openapi/partner.json"),
        ("/claims/default/x", "/claim/{world}/{token}"),
        ("/health", "/_sim/v1/health"),
        ("/api/external/team-order/7", "/api/external/team-orders/{id}"),
        ("/_sim/v1/world", "/_sim/v1/worlds"),
        ("/api/teams/v1/gift", "/api/teams/v1/gifts"),
        ("/v1.1/ticket", "/v1.1/tickets"),
    ],
)
def test_a_404_names_the_nearest_route(world: World, path: str, near: str) -> None:
    answer = get(world, path, **{"X-Sim-World": world.id})
    assert answer.status == 404
    assert f"did you mean {near}" in answer.text
    assert not LIBRARIES.search(answer.text)


def message(answer: Response) -> str:
    """The message of an error, whatever its envelope."""
    body: Any = answer.json()
    return str(body["error"]["message"] if "error" in body else body["title"])


@pytest.mark.parametrize("path", ["/wp-login.php", "/nothing/at/all", "/%ff", "/api/teams/v2/x/y"])
def test_a_404_far_from_everything_leads_to_the_index(world: World, path: str) -> None:
    answer = get(world, path)
    assert (answer.status, answer.json()["error"]["code"]) == (404, "not_found")
    assert message(answer).endswith("; GET / lists what there is")
    page = get(world, path, Accept=BROWSER)
    assert page.status == 404
    assert 'href="/"' in page.text
    assert not LIBRARIES.search(page.text)


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("POST", "/", "GET, HEAD, OPTIONS"),
        ("DELETE", "/openapi/partner.json", "GET, HEAD, OPTIONS"),
        ("PUT", "/claim/default/x", "GET, HEAD, POST, OPTIONS"),
        ("PATCH", "/favicon.ico", "GET, HEAD, OPTIONS"),
        ("GET", "/mcp", "POST, OPTIONS"),
        ("PUT", "/api/external/team-orders", "GET, HEAD, POST, OPTIONS"),
        ("POST", "/_sim/v1/health", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_405_names_the_methods_in_words_and_in_its_header(world: World, method: str, path: str, allow: str) -> None:
    answer = world.client.call(method, path, headers={"X-Sim-World": world.id})
    assert (answer.status, answer.headers["allow"]) == (405, allow)
    assert not LIBRARIES.search(answer.text)
    if path != "/mcp":
        assert message(answer).endswith(f"has {allow}, not {method}")


@pytest.mark.parametrize(
    ("path", "allow"),
    [
        ("/api/external/team-orders", "GET, HEAD, POST, OPTIONS"),
        ("/api/external/team-orders/7/cancel", "POST, OPTIONS"),
        ("/api/teams/v1/gifts", "GET, HEAD, POST, OPTIONS"),
        ("/v1.1/tickets", "POST, OPTIONS"),
        ("/_sim/v1/worlds/default/faults", "GET, HEAD, POST, DELETE, OPTIONS"),
        ("/mcp", "POST, OPTIONS"),
    ],
)
def test_options_says_what_a_route_takes_and_does_nothing(world: World, path: str, allow: str) -> None:
    with world.assert_unchanged():
        answer = world.client.call("OPTIONS", path, headers=world.credentials["partner.prepaid"]["headers"])
    assert (answer.status, answer.headers["allow"], answer.body) == (204, allow, b"")
    assert "access-control-allow-origin" not in answer.headers
    assert world.call_control("GET", "/calls")["calls"] == []


def test_options_of_a_page_lists_its_methods_too(world: World) -> None:
    answer = world.client.call("OPTIONS", "/openapi")
    assert (answer.status, answer.headers["allow"], answer.body) == (204, "GET, HEAD, OPTIONS", b"")


def test_options_of_an_unknown_path_is_a_404(world: World) -> None:
    assert world.client.call("OPTIONS", "/api/external/nothing").status == 404
    assert world.client.call("OPTIONS", "/nothing").status == 404


COLORS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@given(COLORS)
def test_text_in_every_brand_color_can_be_read(color: str) -> None:
    css = Theme("Northwind", color).css
    brand, on_brand = re.findall(r"--(?:on-)?brand: (#\w+)", css)
    light, dark = re.findall(r"--accent: (#\w+)", css)
    assert brand == color
    assert contrast(brand, on_brand) >= LEAST_CONTRAST
    for accent, papers in ((light, LIGHT_PAPERS), (dark, DARK_PAPERS)):
        assert min(contrast(accent, paper) for paper in papers) >= LEAST_CONTRAST


def test_a_color_that_can_be_read_stays_as_it_is() -> None:
    assert "--accent: #0057b8;" in Theme("Northwind", "#0057B8").css


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("color", [None, "", "red", "#12345", "#1234567", "#000000; } * { display: none"])
def test_what_is_not_a_color_is_left_out(color: str | None) -> None:
    assert Theme("Northwind", color).css == ""


@pytest.mark.parametrize(
    ("name", "initials"),
    [("Ada", "A"), ("Northwind Studio Berlin", "NS"), ("<script>x", "S"), ("élan vital", "ÉV"), ("—", ""), (None, "")],
)
def test_a_name_has_initials(name: str | None, initials: str) -> None:
    assert Theme(name).initials == initials
