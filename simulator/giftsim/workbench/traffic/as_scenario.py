"""Makes a scenario of a HAR file: its calls are made in a world at their times, and the world is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from giftsim.engine.client.control import ControlRefused
from giftsim.engine.kernel.texts import count_with_noun
from giftsim.workbench.compare.credentials import Credentials
from giftsim.workbench.compare.session import own_simulator
from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.har.reading import NotHar, parse_har
from giftsim.workbench.traffic.callers import Callers
from giftsim.workbench.traffic.recorded_traffic import read_traffic
from giftsim.workbench.traffic.shown_to_exist import fixture_of
from giftsim.workbench.traffic.traffic_replay import Replay

MOST: Final = 5  # acts that are named


class HarScenario(msgspec.Struct, frozen=True):
    """A scenario made of a HAR file, and what it does not do as the file: a line for each."""

    text: bytes
    notes: tuple[str, ...]


def scenario_of_har(content: bytes, file: Path, credentials: Credentials, fixture: str | None = None) -> HarScenario:
    """The scenario of a HAR file. Without a fixture, its world begins with what the file shows to exist.

    NotHar, CannotCompare; ControlRefused for a fixture that there is not.
    """
    har = parse_har(content, str(file))
    with own_simulator() as (simulator, contracts):
        traffic = read_traffic(har, contracts, {}, str(file))
        begin = fixture_of(traffic) if fixture is None else fixture
        replay = Replay(simulator, contracts, traffic, Callers(traffic.calls, credentials), begin)
        outcome, text = replay.recorded({})
    other = [each.call.exchange.number for each in outcome.calls if each.findings or each.left_out]
    return HarScenario(text, (*_notes(other, len(outcome.calls), traffic.left_out), *_unplayed(outcome.unplayed)))


def _notes(other: list[int], calls: int, left_out: Mapping[str, int]) -> Iterator[str]:
    for reason, count in left_out.items():
        yield f"left out: {reason} ({count} times)" if count > 1 else f"left out: {reason}"
    if other:
        first = f", first of entry {min(other)}"
        yield (
            f"{len(other)} of {count_with_noun(calls, 'call')} get another answer than the recorded one{first};"
            " `giftsim compare --traffic` says what differs and why"
        )


def _unplayed(acts: list[str]) -> Iterator[str]:
    yield from (f"not done: {act}" for act in acts[:MOST])
    if len(acts) > MOST:
        yield f"not done: {len(acts) - MOST} more"


REFUSALS: Final[tuple[type[Exception], ...]] = (NotHar, CannotCompare, ControlRefused)
