"""Traces of tests hold no secrets and have names of their own; tests/ecosystem/testing has runs that leave them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.testing.call_notes import CallNotes, NotedInProcess
from giftsim.testing.tracing import file_name
from giftsim.workbench.trace.file import read_trace_file
from tests.support.pytest_projects import run
from tests.support.secret_scanner import findings
from tests.support.traces import check_format

TRACES = Path(".giftsim", "traces")


def trace_in(folder: Path, name: str) -> dict[str, Any]:
    """The data of a trace, which fit the schema."""
    trace = read_trace_file((folder / TRACES / name).read_bytes())
    check_format(trace)
    return trace


def names(folder: Path, earlier: str = "") -> list[str]:
    """The files that a run has left, and the folders with those of earlier runs."""
    return sorted(path.name for path in (folder / TRACES / earlier).glob("*"))


def test_traces_hold_no_secrets_and_what_is_asked_to_hide(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_it(giftsim):
            secret = giftsim.subscribe("team_order.claimed")["secret"]
            giftsim.call("POST", "/api/external/team-orders", credential="partner.prepaid", body={
                "idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
                "recipients": [{"name": "Bo", "email": "bo@example.com"}]})
            [mail] = giftsim.mail()
            token = mail["links"][0].rpartition("/")[2]
            print(token, secret, giftsim.headers("partner.prepaid"), "customer-4711")
            assert token == "" and secret
        """
    )
    run(project, "--giftsim-trace-redact", r"customer-\d+")
    [name] = [name for name in names(project.path) if name != "index.html"]
    trace = trace_in(project.path, name)
    assert trace["test"]["output"]["Captured stdout call"].startswith("*** whsec_*** ")
    text = json.dumps(trace)
    assert "customer-" not in text
    assert findings(text) == findings(text.replace('\\"', '"')) == []


def test_names_of_files_are_the_tests_and_unique() -> None:
    assert file_name("tests/test_a.py::test_b[1]", "giftsim") == "tests-test_a.py-test_b[1].html"
    assert file_name("tests/test_a.py::test_b", "giftsim_server") == "tests-test_a.py-test_b.server.html"
    assert file_name("t.py::test[a b]", "giftsim") != file_name("t.py::test[a-b]", "giftsim")
    assert file_name(f"t.py::test[{'x' * 300}1]", "giftsim") != file_name(f"t.py::test[{'x' * 300}2]", "giftsim")


def test_a_note_costs_little_and_reads_of_the_control_api_get_none(simulator: Simulator, tmp_path: Path) -> None:
    transport = NotedInProcess(simulator, CallNotes(tmp_path, None))
    transport.call("GET", "/_sim/v1/worlds")
    assert not transport.notes.rows
    transport.call("GET", "/api/external/team-orders")
    assert len(transport.notes.rows) == 1
