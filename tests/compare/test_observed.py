"""The file of what recorded traffic showed of statements and decisions, and who reads it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.workbench.compare.observed import Observations, UnreadableObservations
from giftsim.workbench.har.writing import in_order, write_har
from tests.support.worlds import World

GUESS, OTHER = "A1.2", "A1.10"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of one recording, which fits one decision and contradicts another."""
    path = tmp_path / "observed.json"
    observations = Observations()
    observations.begin("checkout.har", b"one", date="2027-01-04", exchanges=500)
    for fits in (True, True, False):
        observations.add("checkout.har", GUESS, fits=fits)
    observations.add("checkout.har", OTHER, fits=True)
    observations.write(path)
    return path


def statements(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["statements", "--observed", str(file), *arguments])


def test_a_file_is_read_as_it_was_written(file: Path) -> None:
    content = file.read_bytes()
    Observations.of_file(file).write(file)
    assert file.read_bytes() == content


def test_ids_are_in_the_order_of_their_numbers(file: Path) -> None:
    assert list(json.loads(file.read_text(encoding="utf-8"))["decisions"]) == [GUESS, OTHER]


@pytest.mark.parametrize(("name", "content"), [("checkout.har", b"two"), ("renamed.har", b"one")])
def test_a_recording_that_is_compared_again_counts_once(file: Path, name: str, content: bytes) -> None:
    observations = Observations.of_file(file)
    observations.begin(name, content, date="2027-01-05", exchanges=400)
    observations.add(name, GUESS, fits=True)
    observations.write(file)
    again = Observations.of_file(file)
    assert list(again.recordings) == [name]
    assert (again.by_id[GUESS].fits, again.by_id[GUESS].differs) == (1, 0)
    assert OTHER not in again.by_id


def test_recordings_add_up(file: Path) -> None:
    observations = Observations.of_file(file)
    observations.begin("refunds.har", b"two", date="2027-02-01", exchanges=100)
    observations.add("refunds.har", GUESS, fits=True)
    seen = observations.by_id[GUESS]
    assert (
        seen.words == "observed 4 times in checkout.har of 2027-01-04, refunds.har of 2027-02-01, 1 of them against it"
    )


def test_a_contradiction_names_the_settings_that_were_found_to_fit(file: Path) -> None:
    observations = Observations.of_file(file)
    observations.add("checkout.har", GUESS, fits=False, settings={"approvals.pay_on_approve": False})
    [found] = observations.contradictions
    assert found.line.endswith("2 of them against it; it fits with approvals.pay_on_approve: false")


def test_without_found_settings_a_contradiction_names_those_of_other_readings(file: Path) -> None:
    [found] = Observations.of_file(file).contradictions
    assert found.line.endswith("; it fits with approvals.pay_on_approve: false or answers.other_approval_status: true")


@pytest.mark.parametrize(("recording", "decision"), [("other.har", GUESS), ("checkout.har", "B999")])
def test_what_is_not_known_cannot_be_added(file: Path, recording: str, decision: str) -> None:
    with pytest.raises(ValueError, match=recording if recording == "other.har" else decision):
        Observations.of_file(file).add(recording, decision, fits=True)


def test_an_id_of_another_version_is_named_and_stays_in_the_file(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(f'"{OTHER}"', '"B999"'), encoding="utf-8")
    observations = Observations.of_file(file)
    assert observations.warnings[-1] == "observed, but not known to this version of giftsim: B999"
    observations.write(file)
    assert '"B999"' in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "truncated"),
        ('{"log": {}}', "unknown field"),
        ('{"giftsim_observed": 9, "recordings": {}, "decisions": {}}', "its format is 9"),
        (
            '{"giftsim_observed": 1, "recordings": {}, "decisions": {"A1": {"x.har": {"fits": 1}}}}',
            "A1 names the recording 'x.har'",
        ),
        ('{"giftsim_observed": 1, "recordings": {}, "decisions": {"?": {}}}', "is not the id of a decision"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "observed.json"
    path.write_text(content)
    with pytest.raises(UnreadableObservations, match="is not a file that `giftsim compare --observed` wrote") as caught:
        Observations.of_file(path)
    assert problem in str(caught.value)
    result = statements(path)
    assert result.exit_code == 2
    assert problem in " ".join(result.output.split())


def test_statements_shows_what_was_observed(file: Path) -> None:
    result = statements(file, GUESS)
    assert "Observed 3 times in checkout.har of 2027-01-04, 1 of them against it." in result.stdout
    assert f"recorded traffic contradicts {GUESS}" in result.stderr
    listed = json.loads(statements(file, "--basis", "observed", "--json").stdout)["statements"]
    assert [row["id"] for row in listed] == [GUESS, OTHER]
    assert listed[1]["observed"] == {
        "fits": 1,
        "differs": 0,
        "recordings": [{"name": "checkout.har", "date": "2027-01-04", "exchanges": 500}],
    }


def test_the_basis_observed_needs_a_file() -> None:
    result = CliRunner().invoke(main, ["statements", "--basis", "observed"])
    assert result.exit_code == 2
    assert "needs --observed FILE" in result.output


def test_a_simulator_shows_what_was_observed(file: Path) -> None:
    simulator = Simulator(observed=Observations.of_file(file).by_id)
    [listed] = simulator.client.call("GET", "/_sim/v1/statements?id=A1.10").json()["statements"]
    assert listed["observed"]["fits"] == 1
    found = simulator.client.call("GET", "/_sim/v1/reference/settings?limit=1000").json()["settings"]
    sources = {each["id"]: each for row in found for each in row["decisions"]}
    assert sources[GUESS]["observed"]["differs"] == 1
    assert "observed" not in sources["B44"]
    page = simulator.client.call("GET", "/w/default/reference?show=statements&id=A1.2").text
    assert "contradicted × 1" in page
    assert "checkout.har of 2027-01-04 (500 exchanges)" in page


def test_what_a_simulator_answered_does_not_count(tmp_path: Path) -> None:
    simulator = Simulator(fixture="empty")
    world = World(simulator, fixture="empty")
    world.partner().create_order(idempotency_key="one")
    har, file = tmp_path / "app.har", tmp_path / "observed.json"
    rows = in_order(world.rows("calls"), world.rows("deliveries"), "http://127.0.0.1:8080")
    har.write_bytes(write_har(rows, "1", simulated=True))
    words = ["compare", "--traffic", str(har), "--observed", str(file)]
    refused = CliRunner().invoke(main, words)
    assert refused.exit_code == 2
    assert "giftsim itself answered the calls in app.har" in " ".join(refused.stderr.split())
    assert not file.exists()
    assert CliRunner().invoke(main, [*words, "--allow-simulator"]).exit_code == 0
    assert Observations.of_file(file).by_id["P-1.1"].fits == 1
