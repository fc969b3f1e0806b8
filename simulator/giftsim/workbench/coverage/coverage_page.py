"""The coverage as a page that opens offline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from giftsim.frontend.coverage_texts import ABOUT, NOT_COUNTED, STATES, WAYS, grouped
from giftsim.frontend.machine_map import draw_machine
from giftsim.frontend.offline_page import offline_page

FOLDER: Final = Path(__file__).parent


def render_coverage_page(data: Mapping[str, Any]) -> bytes:
    """The page of a coverage, as `coverage` gives it."""
    return offline_page(
        FOLDER,
        "page.html",
        ["shared/coverage_map.css", "page.css"],
        ["shared/copy.js"],
        areas=data["areas"],
        map=data["map"],
        draw=draw_machine,
        steps={step["gap"]: step for step in data["next"]},
        details=data["details"],
        delay=_delay,
        grouped=grouped,
        ABOUT=ABOUT,
        WAYS=WAYS,
        STATES=STATES,
        NOT_COUNTED=NOT_COUNTED,
    ).encode()


def _delay(row: Mapping[str, Any]) -> str:
    """The delays before retries, in seconds."""
    least, most = row["least_delay_s"], row["most_delay_s"]
    if least is None:
        return "–"
    return f"{least:g} s" if least == most else f"{least:g} to {most:g} s"
