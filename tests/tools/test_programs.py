"""The short form of fuzzing, and every input that failed once. `python -m tools fuzz` is the long form."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from tools.fuzz.__main__ import KINDS, corpus, fuzz_bytes, fuzz_contract
from tools.fuzz.models import fuzz_model, models
from tools.fuzz.target import Failure, Input, Target
from tools.soak.checks import DeliveryBook, Orders, TakeBack, compare_orders, compare_taken_back
from tools.soak.findings import (
    CHANGED,
    DOUBLED_EVENT,
    DOUBLED_ORDER,
    FAILED_DELIVERY,
    FOREIGN_ORDER,
    LOST_EVENT,
    LOST_ORDER,
    SLOW,
    Findings,
)
from tools.soak.ledger import Acknowledged, WorldLedger
from tools.soak.observer import Span, check_waits, read_spans, waits


@pytest.mark.parametrize("given", [given for _, given in corpus()], ids=[name for name, _ in corpus()])
def test_an_input_that_failed_once_is_taken_well(given: Input) -> None:
    target = Target()
    target.run(given)
    target.close()


@pytest.mark.parametrize("name", CONTRACTS)
def test_calls_that_follow_or_break_a_contract_are_answered_as_it_says(name: str) -> None:
    share = {"team": 0.1, "control": 0.03}.get(name, 0.4)
    outcome = fuzz_contract(1, name, 1, share)
    assert outcome.inputs
    assert [str(failure) for _, failure in outcome.failures] == []


@pytest.mark.parametrize("kind", KINDS)
def test_changed_bytes_are_taken_or_refused(kind: str) -> None:
    count = {"request": 150, "hostile": 600, "raw": 40}.get(kind, 8)
    assert [str(failure) for _, failure in fuzz_bytes(1, kind, count).failures] == []


class Broken(Target):
    """A simulator that answers every request with an error."""

    def _run_request(self, _given: Input) -> Response:
        return Response(502, {"x-request-id": "req_1"}, b"")


def test_an_error_is_a_failure_unless_a_fault_made_it() -> None:
    target, broken = Target(), Broken()
    order = Input("request", b"{}", "POST", "/api/external/team-orders", "partner.prepaid")
    dropped, failed = (
        msgspec.structs.replace(order, headers={"X-Sim-Fault": fault})
        for fault in ("drop=before", "status=502; undocumented=true")
    )
    assert target.run(dropped) is None
    assert target.run(failed).status == 502
    with pytest.raises(Failure, match="502"):
        broken.run(order)
    target.close()
    broken.close()


@pytest.mark.parametrize("name", models())
def test_sequences_of_a_seed_are_compared_with_a_model(name: str) -> None:
    assert fuzz_model(1, name, 3) == ""


def test_what_the_simulator_logs_as_its_own_error_is_seen() -> None:
    target = Target()
    target.simulator.registry.runtime.log_bug("req_1", ValueError("broken"))
    assert [str(bug) for bug in target.bugs] == ["broken"]
    target.close()


def test_a_soak_fails_if_another_client_waits_too_long_in_one_of_its_minutes() -> None:
    calls = [Span(n / 10, 0.2 if 600 <= n < 607 else 0.001) for n in range(1_800)]
    findings = Findings()
    check_waits(calls, 0.25, findings)
    check_waits(calls, 0, findings)
    assert not findings.failures
    check_waits(calls, 0.05, findings)
    assert findings.examples == {SLOW: ["p99 of its slowest minute: 200 ms"]}


def test_a_call_that_takes_long_counts_for_those_that_it_kept_from_being_made() -> None:
    assert [round(span.took_s, 2) for span in waits(1.0, 0.12)] == [0.12, 0.07, 0.02]
    assert list(waits(1.0, 0.01)) == [Span(1.0, 0.01)]


def test_calls_that_meet_a_kill_are_not_counted_as_slow(tmp_path: Path) -> None:
    file = tmp_path / "observer.txt"
    file.write_text("1.0 0.5\n2.0 0.5\n3.0 0.5\n4.0 0.5\n")
    assert [span.at_s for span in read_spans(file, outages=[(2.4, 3.1)])] == [1.0, 4.0]


def order(key: str, order_id: int) -> dict[str, Any]:
    return {"id": order_id, "reference": key, "account_id": 501, "team_id": None}


def attempt(event: str, outcome: str | None = "delivered") -> dict[str, Any]:
    return {"event_id": event, "outcome": outcome, "status": 200}


def failures_of_orders(*rows: dict[str, Any]) -> dict[str, int]:
    """The failures when `a` (1001) and `b` (1002) were acknowledged, `c` was sent, and the world lists these rows."""
    ledger, findings = WorldLedger("w"), Findings()
    ledger.partner.sent = {"a", "b", "c"}
    ledger.partner.acknowledged = {"a": Acknowledged(1001, b"", "prepaid"), "b": Acknowledged(1002, b"", "prepaid")}
    compare_orders(ledger, Orders.read(rows), findings)
    return dict(findings.failures)


def test_orders_that_are_lost_doubled_changed_or_foreign_are_found() -> None:
    a, b = order("a", 1001), order("b", 1002)
    assert failures_of_orders(a, b) == {}
    assert failures_of_orders(a, b, order("c", 1003)) == {}
    assert failures_of_orders(a) == {LOST_ORDER: 1}
    assert failures_of_orders(a, b, order("b", 1003)) == {DOUBLED_ORDER: 1, CHANGED: 1}
    assert failures_of_orders(a, order("b", 1001)) == {CHANGED: 1}
    assert failures_of_orders(a, b, order("x", 1003)) == {FOREIGN_ORDER: 1}


def test_an_undo_may_take_back_the_latest_orders_only() -> None:
    before = Orders({"a": 1001, "b": 1002, "c": 1003}, frozenset())

    def failures(left: dict[str, int], how: TakeBack) -> int:
        findings = Findings()
        compare_taken_back("w", before, Orders(left, frozenset()), how, findings)
        return findings.failures.total()

    assert failures({"a": 1001, "b": 1002}, TakeBack("undo", most=1)) == 0
    assert failures({"a": 1001}, TakeBack("undo", most=1)) == 1
    assert failures({"a": 1001}, TakeBack("undo", most=1, held=frozenset({"b"}))) == 0
    assert failures({"a": 1001, "c": 1003}, TakeBack("undo", most=1)) == 1
    assert failures({}, TakeBack("reset", exactly=Orders({}, frozenset()))) == 0
    assert failures({"a": 1001}, TakeBack("reset", exactly=Orders({}, frozenset()))) == 1
    assert failures(dict(before.partner), TakeBack("reset", exactly=Orders({}, frozenset()), unsure=True)) == 0


def failures_of_events(arrived: dict[str, int], *rows: dict[str, Any], kills: int = 0, excused: str = "") -> set[str]:
    findings = Findings()
    DeliveryBook().compare("w", rows, (Counter(arrived), set(excused.split())), kills, findings)
    return set(findings.failures)


def test_events_that_are_lost_or_doubled_are_found() -> None:
    assert failures_of_events({"e": 1}, attempt("e")) == set()
    assert failures_of_events({"e": 2}, attempt("e"), attempt("e")) == set()
    assert failures_of_events({}, attempt("e")) == {LOST_EVENT}
    assert failures_of_events({"e": 2}, attempt("e")) == {DOUBLED_EVENT}
    assert failures_of_events({"e": 2}, attempt("e"), kills=1) == set()
    assert failures_of_events({"e": 3}, attempt("e"), kills=1) == {DOUBLED_EVENT}
    assert failures_of_events({"e": 2}, attempt("e"), excused="e") == set()
    assert failures_of_events({}, attempt("e", "timeout")) == {FAILED_DELIVERY}


def test_what_was_counted_once_is_not_counted_again() -> None:
    findings, book = Findings(), DeliveryBook()
    rows = [attempt("e")]
    book.compare("w", rows, (Counter({"e": 1}), set()), 0, findings)
    book.compare("w", rows, (Counter(), set()), 0, findings)
    book.compare("w", [*rows, attempt("e")], (Counter({"e": 1}), set()), 0, findings)
    assert not findings.failures
