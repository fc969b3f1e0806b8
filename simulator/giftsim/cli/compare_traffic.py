"""`giftsim compare --traffic`: its options, its run and its exit status."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from giftsim.engine.kernel.instants import format_instant
from giftsim.workbench.compare.credentials import Credentials
from giftsim.workbench.compare.observed import Observations, UnreadableObservations, known_ids
from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.traffic.traffic_comparison import ComparedTraffic, TrafficOptions, compare_traffic

SAME, DIFFERENT = 0, 1
INDENT = 2
DATE = 10  # characters
ITSELF = (
    "--observed {}: the file stays as it is, because giftsim itself answered the calls in {}, which shows nothing of"
    " the service; --allow-simulator keeps it all the same"
)


class TrafficRun:
    """One run of the command with the options that were given."""

    def __init__(self, given: dict[str, Any], credentials: Credentials) -> None:
        self._given, self._credentials = given, credentials

    def run(self) -> int:
        """Compare with the recording, print the report, and keep what it shows; the exit status."""
        given = self._given
        observations = _read(given["observed"]) if given["observed"] is not None else None
        settings = named_values("--setting", given["setting"])
        options = TrafficOptions(given["target"], settings, given["fixture"])
        compared = compare_traffic(given["traffic"], self._credentials, options)
        report = compared.report
        text = json.dumps(report.data, indent=INDENT) + "\n" if given["as_json"] else report.text
        click.echo(self._credentials.hide(text), nl=False)
        if observations is not None:
            if compared.is_simulated and not given["allow_simulator"]:
                raise CannotCompare(ITSELF.format(given["observed"], given["traffic"].name))
            _keep(observations, compared, given["traffic"].name, given["observed"])
        return SAME if report.is_same else DIFFERENT


def _read(path: Path) -> Observations:
    """The observations of a file; CannotCompare, before anything is compared."""
    try:
        return Observations.of_file(path)
    except UnreadableObservations as error:
        raise CannotCompare(f"--observed {error}") from None


def _keep(observations: Observations, compared: ComparedTraffic, name: str, path: Path) -> None:
    """Add what a recording shows of each decision to a file."""
    traffic, known = compared.traffic, known_ids()
    count = len(traffic.calls) + len(traffic.webhooks)
    try:
        observations.begin(name, compared.content, date=format_instant(traffic.start_ms)[:DATE], exchanges=count)
        for decision, fits, settings in compared.report.evidence():
            if decision in known:
                observations.add(name, decision, fits=fits, settings=settings)
        observations.write(path)
    except ValueError as error:
        raise CannotCompare(f"--traffic: {error}") from None
    except OSError as error:
        raise CannotCompare(f"--observed {path}: {error.strerror}") from None


def named_values(option: str, texts: Sequence[str]) -> dict[str, Any]:
    """Values by name; each is JSON, or else a text."""
    values: dict[str, Any] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name:
            raise CannotCompare(f"{option} takes NAME=VALUE, not {text[:40]!r}")
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return values
