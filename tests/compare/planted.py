"""Differences that real services have, planted in a service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.compare.service import Change, Reply

PARTNER, TEAM, MUSEUM = "/api/external", "/api/teams/v1", "/v1.1"
HTML = b"<!doctype html><title>404 Not Found</title>"


def with_status(status: int) -> Callable[[Reply], Reply]:
    """Another status."""
    return lambda reply: reply._replace(status=status)


def without_header(name: str) -> Callable[[Reply], Reply]:
    """A header is missing."""
    return lambda reply: reply._replace(headers={key: value for key, value in reply.headers.items() if key != name})


def with_header(name: str, value: str) -> Callable[[Reply], Reply]:
    """A header has another value."""
    return lambda reply: reply._replace(headers={**reply.headers, name: value})


def edited(edit: Callable[[Any], Any]) -> Callable[[Reply], Reply]:
    """The JSON body is edited in place."""

    def make(reply: Reply) -> Reply:
        data = reply.json()
        edit(data)
        return reply.with_json(data)

    return make


def as_page(reply: Reply) -> Reply:
    """An error is a page of a proxy."""
    return Reply(reply.status, {**reply.headers, "content-type": "text/html; charset=utf-8"}, HTML)


def moved(reply: Reply) -> Reply:
    """The path has moved."""
    return Reply(308, {**reply.headers, "location": "https://api.vendor.example/moved"}, b"")


def renamed_code(data: Any) -> None:
    """One error has another code."""
    data["error"]["code"] = data["error"]["code"].replace("invalid_url", "url_not_allowed")


def with_fractions(data: Any) -> None:
    """Instants have milliseconds."""
    data["endpoint"]["created_at"] = data["endpoint"]["created_at"].replace("Z", ".000Z")


def three_days(data: Any) -> None:
    """A page ignores its limit."""
    data.append(data[-1])


def enabled(data: Any) -> None:
    """The status has another name."""
    data["endpoint"]["status"] = "enabled"


# What is planted, by the difference that has to be found: operation, kind and path.
PLANTED = {
    ("createSpecialEvent", "status", "status"): Change(
        f"POST {MUSEUM}/special-events", (201,), with_status(200)
    ),
    ("createWebhook", "code", "$.error.code"): Change(
        f"POST {PARTNER}/webhooks", (400,), edited(renamed_code)
    ),
    ("listTeamOrders", "missing_header", "headers.x-ratelimit-limit"): Change(
        f"GET {PARTNER}/team-orders", (200,), without_header("x-ratelimit-limit")
    ),
    ("buyMuseumTickets", "extra_member", "$.seat"): Change(
        f"POST {MUSEUM}/tickets", (201,), edited(lambda data: data.update(seat="A 12"))
    ),
    ("getWebhook", "lost_member", "$.endpoint.events"): Change(
        f"GET {PARTNER}/webhooks/\\d+", (200,), edited(lambda data: data["endpoint"].pop("events"))
    ),
    ("listWebhooks", "type", "$.endpoints[*].pending_count"): Change(
        f"GET {PARTNER}/webhooks", (200,),
        edited(lambda data: [row.update(pending_count=str(row["pending_count"])) for row in data["endpoints"]]),
    ),
    ("createWebhook", "value", "$.endpoint.status"): Change(
        f"POST {PARTNER}/webhooks", (201,), edited(enabled)
    ),
    ("listWebhooks", "order", "$.endpoints"): Change(
        f"GET {PARTNER}/webhooks", (200,), edited(lambda data: data["endpoints"].reverse())
    ),
    ("getCollection", "extra_member", "$.error.details"): Change(
        f"GET {TEAM}/collections/no-such-collection", (404,), edited(lambda data: data["error"].update(details=None))
    ),
    ("getTicketCode", "media_type", "headers.content-type"): Change(
        f"GET {MUSEUM}/tickets/[^/]+/qr", (404,), as_page
    ),
    ("getTeamOrder", "redirect", "status"): Change(f"GET {TEAM}/team-orders/[^/]+", (200,), moved),
    ("getMuseumHours", "page_size", "$"): Change(f"GET {MUSEUM}/museum-hours", (200,), edited(three_days)),
    ("createWebhook", "format", "$.endpoint.created_at"): Change(
        f"POST {PARTNER}/webhooks", (201,), edited(with_fractions)
    ),
    ("upsertPeople", "value", "$.data[0].livemode"): Change(
        f"POST {TEAM}/people", (200, 201), edited(lambda data: [row.update(livemode=True) for row in data["data"]])
    ),
    ("updateTeamOrder", "echo", "$.po_number"): Change(
        f"PATCH {TEAM}/team-orders/[^/]+", (200,), edited(lambda data: data.update(po_number="po-17"))
    ),
}  # fmt: skip
