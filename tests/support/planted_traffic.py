"""What a recorded service reads otherwise than giftsim, and what it does wrongly: twelve settings and six faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from tests.support.recorded_service import Fault

# Other readings, by the decision that each is of.
READINGS: Mapping[str, tuple[str, Any]] = {
    "0.3": ("team.body_validation_status", 400),
    "A2.4": ("clamp_limits", True),
    "A3.4": ("answers.no_replay_marker", True),
    "A6.7": ("webhooks.test_type", "ping"),
    "B1": ("partner.page_size", 25),
    "B14": ("partner.prices.shipping.US", 875),
    "B19": ("partner.claim_expiry_days", 21),
    "B21": ("partner.address_mode", "direct"),
    "B25": ("partner.lead_times.shipped", "4d"),
    "C13": ("museum.email_required", False),
    "G117": ("webhooks.ping_data", "empty"),
    "G118": ("answers.blank_problem_types", True),
}


def _in_answer(edit: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    """Change the JSON of an answer unless it is an error."""

    def change(entry: dict[str, Any]) -> None:
        response = entry["response"]
        if response["status"] < 400:
            data = json.loads(response["content"]["text"])
            edit(data)
            response["content"]["text"] = json.dumps(data)

    return change


def _as_ok(entry: dict[str, Any]) -> None:
    if entry["response"]["status"] == 201:
        entry["response"]["status"] = 200


def _two_minutes_late(entry: dict[str, Any]) -> None:
    """The first retry comes two minutes late, and so do those after it."""
    if entry["_attempt"] > 1:
        entry["startedDateTime"] = (datetime.fromisoformat(entry["startedDateTime"]) + LATE).isoformat()


def _semicolon(entry: dict[str, Any]) -> None:
    for header in entry["request"]["headers"]:
        if header["name"] == "X-Service-Signature":
            header["value"] = header["value"].replace(",", ";")


def _dearer(data: Any) -> None:
    data["totals"]["total_cents"] += 100


LATE = timedelta(minutes=2)
# Faults, by the operation or kind of event, the kind and the path of the difference.
FAULTS: Mapping[tuple[str, str, str], Fault] = {
    ("getWebhook", "lost_member", "$.endpoint.events"): Fault(
        "GET /api/external/webhooks/{}", _in_answer(lambda data: data["endpoint"].pop("events"))
    ),
    ("createSpecialEvent", "status", "status"): Fault("POST /v1.1/special-events", _as_ok),
    ("listWebhooks", "order", "$.endpoints"): Fault(
        "GET /api/external/webhooks", _in_answer(lambda data: data["endpoints"].reverse())
    ),
    ("quoteTeamOrder", "amount", "$.totals.total_cents"): Fault(
        "POST /api/teams/v1/team-orders/quote", _in_answer(_dearer)
    ),
    ("team_order.shipped", "gap", "attempts[1]"): Fault("team_order.shipped", _two_minutes_late),
    ("ping", "signature", "headers.x-service-signature"): Fault("ping", _semicolon),
}
