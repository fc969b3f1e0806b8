"""The masked answers of a service are kept in a file, and later runs compare with them without the service."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.compare.planted import PLANTED
from tests.compare.service import CREDENTIALS, compare, found, run_service

FILES = [f"scenarios/{name}.yaml" for name in ("museum/whole_visit", "partner/subscriptions", "partner/order_and_back")]
OWN = """
scenario: One read
sandbox: free
steps:
  - call: GET /v1.1/museum-hours
    as: museum
"""


def test_a_snapshot_of_a_service_that_differs_shows_the_same_differences_when_the_service_is_gone(
    tmp_path: Path,
) -> None:
    file = tmp_path / "service.json"
    with run_service(PLANTED.values()) as service:
        live = compare(service.origin, "--json", "--spend", "--record", str(file), *FILES)
    later = compare("", "--json", "--snapshot", str(file), credentials={}, named=False)
    assert (live.exit_code, later.exit_code) == (1, 1), later.output
    assert len(found(live)) == 10
    assert found(later) == found(live)
    assert json.loads(later.stdout)["calls"] == json.loads(live.stdout)["calls"]


def test_a_snapshot_of_an_equal_service_has_no_differences_and_no_value_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "service.json"
    with run_service() as service:
        compare(service.origin, "--spend", "--record", str(file), *FILES)
    assert compare("", "--snapshot", str(file), credentials={}, named=False).exit_code == 0
    text = file.read_text()
    told = re.findall(
        r"(?!0{8})[0-9a-f]{8}-[0-9a-f]{4}|whsec_\w+\d|https?://|@example|2027-01-\d\dT\d\d:\d\d:0[1-9]|Bo\b", text
    )
    answers = [answer for scenario in json.loads(text)["scenarios"] for answer in scenario["answers"]]
    assert told == []
    assert all(value not in text for value in CREDENTIALS.values())
    assert answers[2]["answer"]["body"] == {
        "eventId": "string id_uuid eventId#1 of SpecialEvent.eventId",
        "name": "string sent", "location": "string sent", "eventDescription": "string sent",
        "dates": ["string sent", "string sent"], "price": "number",
    }  # fmt: skip


def test_a_snapshot_does_not_fit_a_file_that_has_changed_since(tmp_path: Path) -> None:
    scenario, file = tmp_path / "hours.yaml", tmp_path / "service.json"
    scenario.write_text(OWN)
    with run_service() as service:
        compare(service.origin, "--record", str(file), str(scenario))
    scenario.write_text(f"# a comment changes nothing\n{OWN}")
    assert compare("", "--snapshot", str(file), credentials={}, named=False).exit_code == 0
    scenario.write_text(OWN.replace("hours", "hours?limit=2"))
    changed = compare("", "--snapshot", str(file), credentials={}, named=False)
    assert changed.exit_code == 2
    assert changed.stderr == f"Error: {scenario} has changed since the snapshot was recorded: record it again\n"


def test_a_file_that_compare_did_not_write_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("buy milk\n")
    with run_service() as service:
        for option in ("--record", "--out"):
            refused = compare(service.origin, option, str(notes), FILES[0])
            assert refused.exit_code == 2
            message = f"Error: {option} {notes}: the file is not one that `compare` wrote, and stays as it is\n"
            assert refused.stderr == message
    assert (notes.read_text(), service.calls) == ("buy milk\n", [])
    unread = compare("", "--snapshot", str(notes), credentials={}, named=False)
    assert (unread.exit_code, unread.stderr.startswith(f"Error: --snapshot {notes} is no snapshot")) == (2, True)
