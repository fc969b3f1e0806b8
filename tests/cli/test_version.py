"""The command `version`: what programs can ask before they use a giftsim."""

from __future__ import annotations

import json
import platform

from click.testing import CliRunner

from giftsim import Simulator, __version__
from giftsim.cli.main import main
from giftsim.event_log.journal_contents import NUMBER


def test_the_versions_of_everything_are_told_to_programs(simulator: Simulator) -> None:
    known = json.loads(CliRunner().invoke(main, ["version", "--json"]).stdout)
    assert (known["version"], known["python"]) == (__version__, platform.python_version())
    assert known["formats"] == {"journal": NUMBER, "recording": 1, "scenario": 1, "fixture": 1}
    served = {
        name: simulator.client.call("GET", f"/openapi/{name}.json").json()["info"]["version"]
        for name in ("team", "partner", "museum", "control")
    }
    assert known["contracts"] == served


def test_people_get_three_lines() -> None:
    first, formats, contracts = CliRunner().invoke(main, ["version"]).stdout.splitlines()
    assert first == f"giftsim {__version__}, Python {platform.python_version()}"
    assert formats.startswith("formats: journal ")
    assert contracts.startswith("contracts: team ")
