"""The coverage as a page that opens offline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from giftsim.frontend.offline_page import offline_page

FOLDER: Final = Path(__file__).parent
ABOUT: Final[Mapping[str, str]] = {
    "operations": "Operations that the app called, of those that its credentials may call.",
    "errors": "Documented errors that the app got, of the operations that it calls.",
    "events": "Webhook events that the app received and accepted, of those that it subscribes to.",
    "transitions": "Steps of the state machines that its records took.",
    "faults": "Failures that the app lived through: lost answers, rate limits, repeated and late webhooks.",
    "clock": "Edges of the calendar, and expiries, that passed while the app had something at stake.",
}
WAYS: Final[Mapping[str, str]] = {
    "verb": "Verb",
    "fault": "Fault",
    "scenario": "Scenario",
    "pytest": "A test with pytest",
    "vitest": "A test with Vitest",
}


def render_coverage_page(data: Mapping[str, Any]) -> bytes:
    """The page of a coverage, as `coverage` gives it."""
    return offline_page(
        FOLDER,
        "page.html",
        ["page.css"],
        ["shared/copy.js"],
        areas=data["areas"],
        steps={step["gap"]: step for step in data["next"]},
        details=data["details"],
        delay=_delay,
        ABOUT=ABOUT,
        WAYS=WAYS,
    ).encode()


def _delay(row: Mapping[str, Any]) -> str:
    """The delays before retries, in seconds."""
    least, most = row["least_delay_s"], row["most_delay_s"]
    if least is None:
        return "–"
    return f"{least:g} s" if least == most else f"{least:g} to {most:g} s"
