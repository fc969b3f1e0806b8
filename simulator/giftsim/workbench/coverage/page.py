"""The coverage as one HTML page, which needs no other file and makes no request."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

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


def page(data: Mapping[str, Any]) -> bytes:
    """The page of a coverage, as `coverage` gives it."""
    environment = Environment(loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined)
    text = environment.get_template("page.html").render(
        areas=data["areas"],
        steps={step["gap"]: step for step in data["next"]},
        details=data["details"],
        delay=_delay,
        hash=_hash,
        style=_own("page.css"),
        script=_own("page.js"),
        ABOUT=ABOUT,
        WAYS=WAYS,
    )
    return text.encode()


def _own(name: str) -> Markup:
    """A file of this package, which is not escaped."""
    return Markup((FOLDER / name).read_text(encoding="utf-8"))


def _hash(text: Markup) -> Markup:
    """The hash of a style or a script, by which the page's policy allows it."""
    return Markup(f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}")


def _delay(row: Mapping[str, Any]) -> str:
    """The delays before retries, in seconds."""
    least, most = row["least_delay_s"], row["most_delay_s"]
    if least is None:
        return "–"
    return f"{least:g} s" if least == most else f"{least:g} to {most:g} s"
