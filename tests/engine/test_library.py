"""A service that the engine has never heard of runs like the others: a lending library of one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
from tests.engine import library
from tests.engine.library import LIBRARY

WORLD = "/_sim/v1/worlds/default"
EMMA = {"title": "Emma", "reader": "Bo"}
SCENARIO = """\
scenario: A book comes back late
fixture: {}
steps:
  - call: POST /library/loans
    as: library
    body: {title: Emma, reader: Bo}
    expect: {status: 201}
  - advance: 15d
    expect: {events: [loan.overdue]}
  - call: DELETE /library/loans/1
    as: library
    expect: {status: 200, body: {status: returned}}
"""


@pytest.fixture
def simulator() -> Simulator:
    return Simulator(services=[LIBRARY])


class Reader:
    """Somebody who calls the library and the control API of a simulator."""

    def __init__(self, simulator: Simulator) -> None:
        self._client = simulator.client

    def call(self, method: str, path: str, body: Any = None, *, world: str = "default", status: int = 200) -> Response:
        headers = {"Authorization": f"Bearer card_{world}"}
        answer = self._client.call(method, path, body=body, headers=headers)
        assert answer.status == status, (method, path, answer.status, answer.text)
        return answer

    def borrow(self, **more: Any) -> Response:
        return self.call("POST", "/library/loans", EMMA, **{"status": 201, **more})

    def control(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        return self.call(method, f"{WORLD}{path}", body, status=status).json()


@pytest.fixture
def reader(simulator: Simulator) -> Reader:
    return Reader(simulator)


def test_the_service_fits_on_a_page() -> None:
    files = (Path(library.__file__), library.CONTRACT)
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 200


def test_books_are_lent_and_come_back(reader: Reader) -> None:
    assert reader.borrow().json()["status"] == "lent"
    assert reader.borrow(status=409).json()["code"] == "invalid_state"
    assert reader.call("GET", "/library/books").json() == [{"title": "Emma", "here": False}]
    assert reader.call("DELETE", "/library/loans/1").json()["status"] == "returned"
    assert reader.call("DELETE", "/library/loans/2", status=404).json()["code"] == "loan_not_found"


def test_time_makes_a_loan_overdue_and_sends_a_webhook(reader: Reader) -> None:
    reader.borrow()
    [timer] = [each for each in reader.control("GET", "/timers")["timers"] if each["kind"] == "loan.expire"]
    assert (timer["subject"], timer["because"]) == ("loan 1", "two weeks")
    advanced = reader.control("POST", "/clock/advance", {"by": "15d"})
    assert advanced["events_by_type"] == {"loan.overdue": 1}
    [attempt] = reader.control("GET", "/deliveries")["deliveries"]
    assert (attempt["type"], attempt["outcome"]) == ("loan.overdue", "delivered")
    [event] = reader.control("GET", "/events")["events"]
    assert (event["subject"], event["data"]["status"]) == ("loan 1", "overdue")
    [machine, _] = reader.call("GET", "/_sim/v1/machines").json()["machines"]
    assert (machine["name"], len(machine["transitions"])) == ("loan", 3)
    assert reader.control("GET", "/endpoints")["endpoints"][0]["events"] == ["loan.overdue"]
    assert reader.control("POST", "/endpoints/1/test", status=201)["type"] == "ping"


def test_a_fault_and_a_magic_value_act(reader: Reader) -> None:
    fault = {"match": {"operation": "borrowBook"}, "when": {"first": 1}, "effect": {"status": 503}}
    reader.control("POST", "/faults", fault, status=201)
    assert reader.borrow(status=503).json()["code"] == "closed"
    reader.borrow()
    closed = reader.call("POST", "/library/loans", {"title": "Ulysses", "reader": "Magic Closed"}, status=503)
    assert closed.json()["code"] == "closed"
    spoiled = {"match": {"event": "loan.overdue"}, "effect": {"webhook": "bad_signature"}}
    reader.control("POST", "/faults", spoiled, status=201)
    refused = reader.control("POST", "/faults", {**spoiled, "match": {"event": "loan.overdu"}}, status=400)
    assert "did you mean loan.overdue?" in refused["error"]["message"]


def test_undo_fork_and_diff_know_its_records(reader: Reader) -> None:
    reader.borrow()
    reader.control("POST", "/fork", {"id": "other"}, status=201)
    reader.call("DELETE", "/library/loans/1", world="other")
    [kind] = reader.control("GET", "/diff?with=other")["kinds"]
    assert (kind["kind"], kind["changed"]) == ("loan", 1)
    [change] = reader.control("GET", "/calls/1/effects")["changes"]
    assert (change["record"]["kind"], change["what"]) == ("loan", "added")
    reader.control("POST", "/undo", {"count": 1})
    assert reader.call("GET", "/library/books").json() == []


def test_it_is_recorded_replayed_traced_and_played(reader: Reader, simulator: Simulator) -> None:
    reader.borrow()
    reader.control("POST", "/clock/advance", {"by": "15d"})
    recording = reader.call("GET", f"{WORLD}/calls/scenario").text
    for scenario in (recording, SCENARIO):
        report = reader.call("POST", "/_sim/v1/scenarios/play", scenario).json()
        assert report["outcome"] == "passed", report
    trace = reader.control("GET", "/trace?format=json")
    assert {"call", "timer", "event", "attempt"} <= {entry["kind"] for entry in trace["entries"]}
    assert "loan/0" in trace["records"]


def test_coverage_counts_what_was_met_of_it(reader: Reader) -> None:
    assert reader.control("GET", "/coverage")["areas"]["operations"]["met"] == []
    reader.borrow()
    reader.borrow(status=409)
    reader.control("POST", "/clock/advance", {"by": "15d"})
    found = reader.control("GET", "/coverage")
    areas = {name: area["met"] for name, area in found["areas"].items()}
    assert areas["operations"] == ["borrowBook"]
    assert areas["transitions"] == ["delivery: pending --accept--> delivered", "loan: lent --expire--> overdue"]
    assert "loan: lent --return--> returned" in found["areas"]["transitions"]["missing"]
    assert found["next"] == []  # giftsim knows no test to paste for it


def test_a_simulator_continues_from_its_journal(tmp_path: Any) -> None:
    first = Simulator(services=[LIBRARY], journal=tmp_path / "journal")
    Reader(first).borrow()
    first.close()
    second = Simulator(services=[LIBRARY], journal=tmp_path / "journal")
    assert second.recovered
    assert Reader(second).call("GET", "/library/books").json() == [{"title": "Emma", "here": False}]
    second.close()


def test_the_console_and_the_pytest_fixture_show_it(reader: Reader, simulator: Simulator) -> None:
    reader.borrow()
    for page in ("/w/default/", "/w/default/calls", "/w/default/calls/1", "/w/default/webhooks", "/w/default/worlds"):
        assert simulator.client.call("GET", page, headers={"Accept": "text/html"}).status == 200, page
    with open_world(InProcess(simulator)) as giftsim:
        giftsim.call("POST", "/library/loans", body=EMMA, headers=giftsim.headers("library"))
        giftsim.advance("15d")
        assert giftsim.assert_webhook("loan.overdue", title="Emma").type == "loan.overdue"


def test_it_runs_beside_the_others() -> None:
    every = Simulator(services=["museum", LIBRARY], fixture="bare")
    assert [each.name for each in every.interfaces] == ["museum", "library", "control"]
    assert Reader(every).borrow().json()["id"] == 1
