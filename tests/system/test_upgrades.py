"""Files of earlier versions, in `tests/corpus`: each is read with the same outcome, or refused with the way on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator, __version__
from giftsim.cli.main import main
from giftsim.engine.log.journal_contents import FORMAT, NUMBER
from giftsim.workbench.scenario import load_scenario
from giftsim.workbench.scenario.yaml_source import RECORDING_LIMITS
from tests.docs.pages import ROOT

CORPUS = ROOT / "tests" / "corpus"
JOURNALS = {
    "0.1.0/journal": 1,
    "0.2.0/journal": 3,
    "0.2.0/journal-with-checkpoints": 3,
    "0.2.0/journal-of-another-fixture": 3,
}
RECORDINGS = ("0.1.0/recording.yaml", "0.2.0/recording.yaml")
SNAPSHOT = "0.2.0/snapshot.json"
SCENARIOS, FIXTURES, TRACES = ("0.2.0/scenario.yaml",), ("0.2.0/fixture.yaml",), ("0.2.0/trace.html",)
OTHERS = {"0.2.0/orders.yaml"}  # what the snapshot is of


def run(*words: object) -> Result:
    """Run a command, which must end with a message and not with an exception."""
    result = CliRunner().invoke(main, list(map(str, words)))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def test_every_file_of_the_corpus_is_read_here() -> None:
    found = {path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.is_file()}
    assert found == {*JOURNALS, *RECORDINGS, SNAPSHOT, *SCENARIOS, *FIXTURES, *TRACES, *OTHERS}


@pytest.mark.parametrize("name", JOURNALS)
@pytest.mark.parametrize("command", [("serve", "--port", "0", "--journal"), ("check",)])
def test_a_journal_of_an_earlier_version_is_refused_with_the_way_on(
    tmp_path: Path, name: str, command: tuple[str, ...]
) -> None:
    file = Path(shutil.copy(CORPUS / name, tmp_path / "world.journal"))
    result = run(*command, file)
    version = name.partition("/")[0]
    assert result.exit_code
    assert (
        f"{file}:1: giftsim {version} wrote this file in format {FORMAT} {JOURNALS[name]}; this version reads {FORMAT} "
        f"{NUMBER}. Start with a new file, or with that version"
    ) in result.output
    assert file.read_bytes() == (CORPUS / name).read_bytes()


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_of_an_earlier_version_loads_and_a_difference_names_the_version(name: str) -> None:
    recording = load_scenario((CORPUS / name).read_text("utf-8"), name, limits=RECORDING_LIMITS)
    assert sum(step.title.startswith(("POST", "GET")) for step in recording.steps) == 8
    result = run("play", "--exact", CORPUS / name)
    assert result.exit_code == 1
    assert result.output.startswith("different: ")
    assert "The recording is of giftsim 0.2.0 or earlier, and this version may answer differently: " in result.output


def test_a_recording_of_this_version_that_differs_names_no_version(tmp_path: Path) -> None:
    text = (CORPUS / RECORDINGS[0]).read_text("utf-8")
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(text.replace(" of world default: ", " of world default by giftsim 9.9.9: "), "utf-8")
    new.write_text(text.replace(" of world default: ", f" of world default by giftsim {__version__}: "), "utf-8")
    assert "is of giftsim 9.9.9" in run("play", "--exact", old).output
    assert "The recording is of" not in run("play", "--exact", new).output
    assert json.loads(run("play", "--exact", "--json", old).output)[0]["recorded_by"] == "9.9.9"


def test_a_snapshot_of_an_earlier_version_is_compared_with() -> None:
    result = run("compare", "--snapshot", CORPUS / SNAPSHOT)
    assert result.exit_code in (0, 1)
    assert "3 calls of 1 scenario compared with" in result.output


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_of_an_earlier_version_passes(name: str) -> None:
    result = run("play", "--quiet", CORPUS / name)
    assert (result.exit_code, result.output.startswith("passed")) == (0, True), result.output


@pytest.mark.parametrize("name", FIXTURES)
def test_a_fixture_of_an_earlier_version_makes_the_same_world(name: str) -> None:
    simulator = Simulator(fixture=str(CORPUS / name))
    [order] = simulator.client.call("GET", "/_sim/v1/worlds/default/orders").json()["orders"]
    simulator.close()
    assert (order["name"], order["total_cents"], order["created_at"]) == (
        "Thank-you mugs",
        2600,
        "2026-12-25T09:00:00Z",
    )


@pytest.mark.parametrize("name", TRACES)
def test_a_trace_of_an_earlier_version_is_read_and_played_again(name: str) -> None:
    data = json.loads(run("trace", "--json", CORPUS / name).output)
    assert [entry["call"]["operation"] for entry in data["entries"] if "call" in entry].count("createTeamOrder") == 2
    met = json.loads(run("coverage", "--json", CORPUS / name).output)["areas"]["operations"]["met"]
    assert {"createTeamOrder", "getTeamOrder", "createWebhook"} <= set(met)
