"""`record --from` a HAR file: a scenario that makes its calls at its times, and passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.workbench.har.writing import in_order, write_har
from giftsim.workbench.scenario import load_scenario, play
from tests.support.worlds import World


@pytest.fixture
def har(world: World, tmp_path: Path) -> Path:
    """What giftsim saw of an app in a world: an order that is claimed and delivered, a refused call."""
    partner = world.partner()
    partner.subscribe("team_order.claimed", "team_order.delivered")
    order = partner.create_order(idempotency_key="one").json()["team_order"]["id"]
    world.advance("1d")
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("9d")
    assert partner.get(f"/team-orders/{order}").json()["team_order"]["status"] == "delivered"
    partner.post("/team-orders", {"bad": True})
    file = tmp_path / "app.har"
    file.write_bytes(write_har(in_order(world.rows("calls"), world.rows("deliveries"), "http://127.0.0.1:8080"), "1"))
    return file


def record(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["record", *arguments])


def test_the_scenario_makes_the_calls_at_their_times_and_passes(har: Path, tmp_path: Path, other: Simulator) -> None:
    out = tmp_path / "app.yaml"
    done = record("--from", str(har), "--out", str(out))
    assert (done.exit_code, done.output) == (0, "")
    text = out.read_text()
    assert text.count("  - call: ") == 4
    assert "fixture: empty\n" in text
    assert "  - simulate: claim\n" in text
    assert "  - advance: {to: '2027-01-14T09:00:00Z'}\n" in text
    assert '"status":"delivered"' in text
    assert play(load_scenario(text), other.client).outcome == "passed"


def test_a_har_file_becomes_a_test_too(har: Path, tmp_path: Path) -> None:
    out = tmp_path / "test_app.py"
    assert record("--from", str(har), "--as", "pytest", "--out", str(out)).exit_code == 0
    assert 'giftsim.assert_webhook(\n        "team_order.claimed"' in out.read_text()


def test_what_the_world_does_otherwise_is_named(har: Path, tmp_path: Path) -> None:
    data = json.loads(har.read_text(encoding="utf-8"))
    [refused] = [entry for entry in data["log"]["entries"] if entry["response"]["status"] == 400]
    refused["response"]["status"] = 422
    data["log"]["entries"].append({**refused, "request": {**refused["request"], "url": "https://other.example/"}})
    har.write_text(json.dumps(data), encoding="utf-8")
    done = record("--from", str(har), "--out", str(tmp_path / "app.yaml"))
    assert done.exit_code == 0
    notes = " ".join(done.stderr.split())
    assert "1 of 4 calls get another answer than the recorded one" in notes
    assert "left out: no call of an interface, and no webhook" in notes


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ('{"log": {}}', (), "not a HAR file"),
        ("{", (), "is not JSON"),
        ('{"log": {"entries": []}}', (), "has no call of the service"),
        ("scenario: x", (), "--from cannot take effect"),
        ("scenario: x", ("--as", "pytest", "--fixture", "empty"), "--fixture cannot take effect"),
        ("scenario: x", ("--as", "pytest", "--credential", "museum=X"), "--credential cannot take effect"),
    ],
)
def test_another_file_is_refused_and_nothing_is_written(
    tmp_path: Path, content: str, options: tuple[str, ...], message: str
) -> None:
    file, out = tmp_path / "x.har", tmp_path / "out"
    file.write_text(content)
    done = record("--from", str(file), "--out", str(out), *options)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())
    assert not out.exists()


def test_a_fixture_that_there_is_not_is_refused(har: Path, tmp_path: Path) -> None:
    done = record("--from", str(har), "--fixture", "nothing", "--out", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert "nothing" in done.stderr
