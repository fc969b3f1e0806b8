"""The known route that is nearest to a path."""

from __future__ import annotations

import pytest

from giftsim.engine.gateway.nearest_route import nearest_route

ROUTES = (
    "/api/external/team-orders", "/api/external/team-orders/{id}", "/api/external/team-orders/{id}/cancel",
    "/api/external/webhooks/{id}/ping", "/_sim/v1/worlds/{w}/clock/advance", "/_sim/v1/health", "/openapi/{name}.json",
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/external/team-order", "/api/external/team-orders"),
        ("/api/external/team_orders/1027", "/api/external/team-orders/{id}"),
        ("/api/external/team-orders/1027/cancell", "/api/external/team-orders/{id}/cancel"),
        ("/api/external/team-orders/", "/api/external/team-orders"),
        ("/api/externl/team-orders", "/api/external/team-orders"),
        ("/api/v1/team-orders", "/api/external/team-orders"),
        ("/team-orders", "/api/external/team-orders"),
        ("/worlds/default/clock/advance", "/_sim/v1/worlds/{w}/clock/advance"),
        ("/health", "/_sim/v1/health"),
        ("/openapi/partner", "/openapi/{name}.json"),
        ("/API/EXTERNAL/TEAM-ORDERS", "/api/external/team-orders"),
    ],
)
def test_the_nearest_route_has_the_most_alike_words(path: str, route: str) -> None:
    assert nearest_route(path, ROUTES) == route


@pytest.mark.parametrize("path", ["/", "", "/wp-login.php", "/x", "/x/y/z", "//", "/..%2f", "/" * 5000, "/x" * 5000])
def test_where_nothing_is_alike_there_is_none(path: str) -> None:
    assert nearest_route(path, ROUTES) is None
