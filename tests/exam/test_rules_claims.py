"""Rules about claim links, parcels, instants and guesses: a right shop obeys, and each mistake is named by its rule."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Any

import msgspec
import pytest

from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.assumptions.variants import load_variants, settings_of
from giftsim.workbench.exam.exam import GUESSES, LEAKS, Exam
from giftsim.workbench.exam.exam_rule import Outcome
from giftsim.workbench.exam.examined_app import ExaminedApp
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.special_days import (
    EUROPE,
    LOS_ANGELES,
    clock_changes,
    clocks_back,
    clocks_forward,
    leap_day,
    month_end,
    new_year,
)
from tests.exam import claim_shops as shops
from tests.exam.examined import RULES, examine
from tests.exam.sample_shop import Shop, serving

NAMES = (LEAKS, "books_expired_links", "books_rejected_parcels", "tells_when_it_happened", GUESSES)
MISTAKES: list[tuple[str, Any, str]] = [
    (LEAKS, shops.LinksInAnswers, "the app's answers have the claim link of"),
    (LEAKS, shops.LinksInChecks, "the app's answers have the claim link of"),
    (LEAKS, shops.LinksInWebhookAnswers, "the app's answer to a webhook has a claim link"),
    ("books_expired_links", shops.NoAttention, "is expired, which the app was told, and the app says ordered"),
    ("books_expired_links", shops.ExpiredForGood, "and the app says expired"),
    ("books_expired_links", shops.ExpiresByTheCalendar, "and the app says expired"),
    ("books_rejected_parcels", shops.NoAttention, ""),
    ("books_rejected_parcels", shops.DelayedIsRejected, "and the app says rejected"),
    ("books_rejected_parcels", shops.RejectedIsDelayed, "is rejected, which the app was told, and the app says"),
    (
        "books_rejected_parcels",
        shops.RejectedForGood,
        "is delivered, which the app was told, and the app says rejected",
    ),
    ("books_rejected_parcels", shops.DelayedIsNotShipped, "is shipped, which the app was told, and the app says"),
    ("books_rejected_parcels", shops.ShippedIsSafe, "is rejected, which the app was told, and the app says shipped"),
    ("tells_when_it_happened", shops.ArrivesNow, "and the app says"),
    ("tells_when_it_happened", shops.OwnZone, "and the app says"),
    ("tells_when_it_happened", shops.NoZone, "and the app says"),
    ("tells_when_it_happened", shops.DaysOnly, "and the app says"),
    ("tells_when_it_happened", shops.WeekYears, "and the app says"),
]

IMPOSSIBLE = RULES["keeps_birthdays"].usual


@pytest.mark.parametrize("seed", range(3))
def test_the_example_shop_obeys(seed: int) -> None:
    for name, result in examine(Shop(), *NAMES, seed=seed).items():
        assert result.outcome is Outcome.PASSED, (name, result.reason)
        assert result.sources.keys() == set(result.rule.sources)


@pytest.mark.parametrize(("name", "mistake", "reason"), MISTAKES)
def test_a_mistake_fails_the_rule_that_is_about_it(name: str, mistake: Any, reason: str) -> None:
    result = examine(mistake(), name, seed=len(reason))[name]
    assert result.outcome is Outcome.FAILED
    assert reason in (result.reason or "")


def test_a_link_in_the_sitting_of_another_rule_fails_the_rule_about_links(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_by_others = msgspec.structs.replace(RULES[LEAKS], probes=(lambda _sitting: None,))
    monkeypatch.setitem(RULES, LEAKS, seen_by_others)
    results = examine(shops.LinksInChecks(), LEAKS, "books_expired_links", seed=1)
    assert results[LEAKS].outcome is Outcome.FAILED
    assert results["books_expired_links"].outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("mistake", "decision", "advice"),
    [
        (shops.NestedCodes, "0.9", "Decide by the status and look for the code in both places."),
        (shops.KnownModes, "B21", "Compare with claim_links alone."),
    ],
)
def test_an_app_that_leans_on_a_guess_is_told_which_one(mistake: Any, decision: str, advice: str) -> None:
    findings = (examine(mistake(), GUESSES, seed=seed)[GUESSES] for seed in range(20))
    finding = next(each for each in findings if each.outcome is Outcome.FAILED)
    assert f"({decision})" in (finding.reason or "")
    assert finding.mend == advice


@pytest.mark.parametrize(
    ("zone", "year", "changes"),
    [
        (LOS_ANGELES, 2027, ["2027-03-14T10:00:00Z", "2027-11-07T09:00:00Z"]),
        (EUROPE, 2028, ["2028-03-26T01:00:00Z", "2028-10-29T01:00:00Z"]),
    ],
)
def test_clocks_change_when_they_do(zone: Any, year: int, changes: list[str]) -> None:
    assert clock_changes(zone, year) == [datetime.fromisoformat(each) for each in changes]


def test_special_instants_are_whole_seconds_of_utc_in_order() -> None:
    for special in (clocks_back(EUROPE), clocks_forward(LOS_ANGELES), leap_day, month_end, new_year):
        for seed in range(50):
            first, second = special(Random(seed))
            assert first < second
            assert first.tzinfo is UTC
            assert first.microsecond == second.microsecond == 0


def test_of_several_guesses_that_a_rule_met_the_one_is_named_that_does_it_alone() -> None:
    def dislikes_flat_errors(sitting: Sitting) -> None:
        sitting.begin()
        shape = sitting.world.send("GET", "/settings")["partner.error_shape"]
        sitting.expect(shape == "nested", "the app broke")

    dislikes = msgspec.structs.replace(RULES["pays_once"], probes=(dislikes_flat_errors,))
    others = msgspec.structs.replace(RULES[GUESSES], probes=(lambda _sitting: None,))
    with (
        serving(Shop()) as url,
        closing(ExaminedApp(AppProtocol(app=url))) as app,
        closing(Exam(app, (dislikes, others), seed=1, rounds=300)) as exam,
    ):
        changed = list(exam.hold())
    assert exam.results["pays_once"].outcome is Outcome.PASSED
    finding = exam.results[GUESSES]
    assert finding.outcome is Outcome.FAILED
    assert (finding.reason or "").startswith(
        "pays_once: the app broke, where the service reads a guess otherwise (0.9)"
    )
    assert finding.mend == load_variants()["flat_errors"].safe
    assert finding in changed


@pytest.mark.parametrize("usual", [(), IMPOSSIBLE])
def test_no_sitting_of_a_rule_reads_otherwise_what_it_names_as_usual(usual: tuple[str, ...]) -> None:
    met: set[str] = set()

    def look(sitting: Sitting) -> None:
        sitting.begin()
        settings = sitting.world.send("GET", "/settings")
        met.update(name for name, value in settings_of(IMPOSSIBLE).items() if settings[name] == value)

    rule = msgspec.structs.replace(RULES[GUESSES], probes=(look,), usual=usual)
    with (
        serving(Shop()) as url,
        closing(ExaminedApp(AppProtocol(app=url))) as app,
        closing(Exam(app, (rule,), seed=1, rounds=40)) as exam,
    ):
        list(exam.hold())
    assert met == (set() if usual else settings_of(IMPOSSIBLE).keys())
