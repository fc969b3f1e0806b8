"""A comparison with recorded traffic, from a HAR file to its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from giftsim.engine.client.control import ControlRefused
from giftsim.engine.kernel.errors import InvalidSetting
from giftsim.engine.system import TooLarge, read_file
from giftsim.workbench.compare.credentials import Credentials
from giftsim.workbench.compare.session import own_simulator
from giftsim.workbench.compare.target import CannotCompare, parse_targets
from giftsim.workbench.har.reading import MOST_BYTES, NotHar, parse_har
from giftsim.workbench.traffic.callers import Callers
from giftsim.workbench.traffic.explanation_search import explain
from giftsim.workbench.traffic.recorded_traffic import Traffic, read_traffic
from giftsim.workbench.traffic.shown_to_exist import fixture_of
from giftsim.workbench.traffic.traffic_replay import Replay
from giftsim.workbench.traffic.traffic_report import TrafficReport


class TrafficOptions(msgspec.Struct, frozen=True):
    """`targets` are base URLs where the service's paths are others, `settings` those of giftsim's worlds.

    Without a `fixture` a world begins with what the recording shows to exist.
    """

    targets: Sequence[str] = ()
    settings: Mapping[str, Any] = {}
    fixture: str | None = None


class ComparedTraffic(msgspec.Struct, frozen=True):
    """The report on a recording, with the recording itself and the content of its file.

    `is_simulated` says that a simulator wrote the file of itself.
    """

    report: TrafficReport
    traffic: Traffic
    content: bytes
    is_simulated: bool = False


def compare_traffic(file: Path, credentials: Credentials, options: TrafficOptions) -> ComparedTraffic:
    """Compare giftsim with the traffic in a HAR file. CannotCompare says what is wrong with the file or an option."""
    try:
        content = read_file(file, MOST_BYTES)
        har = parse_har(content, str(file))
    except NotHar as error:
        raise CannotCompare(f"--traffic {error}") from None
    except TooLarge as error:
        raise CannotCompare(f"--traffic {file}: {error.strerror}; record a shorter part") from None
    except OSError as error:
        raise CannotCompare(f"--traffic {file}: {error.strerror}") from None
    with own_simulator() as (simulator, contracts):
        traffic = read_traffic(har, contracts, parse_targets(options.targets, contracts), str(file))
        fixture = options.fixture if options.fixture is not None else fixture_of(traffic)
        callers, settings = Callers(traffic.calls, credentials), simulator.definitions.settings
        try:
            replay = Replay(simulator, contracts, traffic, callers, fixture, options.settings)
            explanation = explain(replay, settings, options.settings)
        except (ControlRefused, InvalidSetting) as refused:
            raise CannotCompare(
                f"giftsim cannot make the world of the recording, --fixture and --setting: {refused}"
            ) from None
        report = TrafficReport(explanation, traffic, contracts, settings, file.name)
        return ComparedTraffic(report, traffic, content, har.is_simulated)
