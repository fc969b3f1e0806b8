"""Each scenario of the readiness pack passes with the example shop, and fails with a shop that makes the mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.services.statements.entry import source_texts
from giftsim.workbench.scenario import InvalidScenario, Report, check_scenario, load_scenario, play
from giftsim.workbench.scenario.library import READINESS, Library, library_files
from tests.readiness import shops
from tests.readiness.shops import TIMEOUT_S, Shop, serving

PACK = {file.stem: file for file in library_files(READINESS)}

# For each scenario mistakes that it must see, with the step or the value by which it sees them.
MISTAKES: list[tuple[str, Any, str]] = [
    ("lost_answer", shops.NewKeyAfterLoss, "order-1 was placed 2 times"),
    ("late_answer", shops.NewKeyAfterLoss, "order-1 was placed 2 times"),
    ("server_error", shops.GivesUp, 'body.state: expected "placed", actual "refused"'),
    ("rate_limit", shops.Impatient, "body.calls: expected length 1"),
    ("declined_payment", shops.NewKeyAfterDecline, "order-1 was placed 2 times"),
    ("declined_payment", shops.DeclinedIsPlaced, 'body.state: expected "unpaid", actual "placed"'),
    ("net_terms_used_up", shops.DeclinedIsPlaced, 'body.state: expected "unpaid", actual "placed"'),
    ("price_rise", shops.OwnPrices, "order-2.charged_cents: expected 3300, actual 2600"),
    ("partial_cancel", shops.CancelsAll, 'bo@example.com.stage: expected "delivered", actual "canceled"'),
    ("refund", shops.NoAttention, 'cy@example.com.stage: expected "rejected", actual "ordered"'),
    ("month_end", shops.ArrivalTime, "bo@example.com.since"),
    ("moving_pages", shops.OnePass, 'a list that includes "unpaid-3"'),
    ("rejected_address", shops.KeepsRefused, 'body.state: expected "placed", actual "refused"'),
    ("rejected_address", shops.DeclinedIsPlaced, 'body.state: expected "refused", actual "placed"'),
    ("expired_link", shops.NoAttention, 'bo@example.com.stage: expected "expired", actual "ordered"'),
    ("duplicate_webhook", shops.CountsTwice, "200 points"),
    ("reordered_webhooks", shops.LastComesLast, 'bo@example.com.stage: expected "delivered", actual "shipped"'),
    ("own_failure", shops.MarksFirst, 'bo@example.com.stage: expected "shipped", actual "ordered"'),
    ("three_days_down", shops.ArrivalTime, "bo@example.com.since"),
    ("forged_webhook", shops.TrustsAll, "deliveries of team_order.claimed.outcomes"),
    ("forged_webhook", shops.NoTolerance, "deliveries of team_order.shipped.outcomes"),
    ("replaced_secret", shops.OneSecret, "deliveries of team_order.shipped.outcomes"),
    ("unknown_event", shops.RefusesUnknown, "deliveries of ping.outcomes"),
]


@pytest.fixture(scope="module")
def listening() -> Iterator[Simulator]:
    """A simulator that apps can call."""
    simulator = Simulator(fixture="bare")
    simulator.serve_locally()
    yield simulator
    simulator.close()


def played(name: str, shop: Any, simulator: Simulator) -> Report:
    """The report of a scenario of the pack, played against a shop."""
    with serving(shop) as app:
        scenario = load_scenario(PACK[name], app=app)
        check_scenario(scenario, simulator.client)
        return play(scenario, simulator.client)


def test_the_pack_has_twenty_scenarios_that_name_what_they_rest_on() -> None:
    assert len(PACK) == 20
    for name, file in PACK.items():
        scenario = load_scenario(file)
        assert scenario.sources, name
        assert list(source_texts(scenario.sources)) == list(scenario.sources)


def test_each_scenario_asks_at_its_end_what_the_app_believes() -> None:
    for name, file in PACK.items():
        *_, last = load_scenario(file).steps
        assert last.kind in ("app", "await"), name


@pytest.mark.parametrize("name", PACK)
def test_the_example_shop_passes(name: str, listening: Simulator) -> None:
    report = played(name, Shop((), TIMEOUT_S), listening)
    assert report.outcome == "passed", report.timeline


def test_each_scenario_has_a_mistake_that_it_sees() -> None:
    assert {name for name, _, _ in MISTAKES} == PACK.keys()


@pytest.mark.parametrize(("name", "mistaken", "seen"), MISTAKES, ids=[f"{n}-{m.__name__}" for n, m, _ in MISTAKES])
def test_a_shop_with_the_mistake_fails(name: str, mistaken: Any, seen: str, listening: Simulator) -> None:
    report = played(name, mistaken(), listening)
    failures = [str(failure) for step in report.steps for failure in step.failures]
    assert any(seen in failure for failure in failures) or seen in report.timeline, report.timeline


def test_the_pack_is_a_folder_of_the_library() -> None:
    entries = [entry for entry in Library().entries() if entry.folder == READINESS]
    assert len(entries) == len(PACK)
    assert all(entry.name.startswith("readiness.") for entry in entries)
    assert library_files("readiness/lost_answer") == library_files("readiness.lost_answer") == [PACK["lost_answer"]]
    assert library_files("no_such") == []


def test_a_source_must_be_a_statement_or_a_decision() -> None:
    text = "scenario: A day\nsources:\n  - P-4.17\n  - P-99.1\nsteps:\n  - advance: 1d\n"
    with pytest.raises(InvalidScenario, match=r'^<text>:4:5: .* id "P-99\.1"') as refused:
        load_scenario(text, "<text>")
    assert "giftsim statements" in str(refused.value)
    assert load_scenario(text.replace("P-99.1", "G220")).sources == ("P-4.17", "G220")
