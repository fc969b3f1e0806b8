"""`check_receiver` of apps in the process of a test: right ones pass, and a fault fails the probes that name it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import giftsim
from giftsim import verify
from giftsim.testing import Giftsim, Webhook
from giftsim.workbench.exam.receiver.check_report import ReceiverReport
from giftsim.workbench.exam.receiver.probe import Answer, Outcome, Request, Secrets
from giftsim.workbench.exam.receiver.probe_runner import Runner
from giftsim.workbench.exam.receiver.probes import PROBES, choose_probes
from giftsim.workbench.exam.receiver.stock import stock_of_world
from tests.exam.receiver.gift_app import SECRET, GiftApp, flask_app, starlette_app
from tests.shows import shows

ROOT = Path(__file__).parents[2]
NEXT, OLD = "whsec_next", "whsec_old"
REFUSED = tuple(probe.name for probe in PROBES if probe.right == "4xx" and probe.name != "wrong_method")

# The probes that each fault fails.
FAULTS: dict[str, tuple[str, ...]] = {
    "writes again": ("changed_spacing", "many_spellings", "long_body"),
    "prefix": ("shortened_signature",),
    "short key": ("secret_without_prefix",),
    "no age": ("stale_timestamp", "future_timestamp"),
    "one-sided age": ("future_timestamp",),
    "tight age": ("old_within_tolerance", "ahead_within_tolerance"),
    "two times": ("two_timestamps",),
    "dictionary": ("first_of_two_signatures",),
    "positions": ("fields_in_other_order",),
    "remembers first": ("forged_first", "redelivery_after_500"),
    "id of header": ("replayed_under_another_id",),
    "unknown type": ("unknown_event_type",),
    "strict members": ("unknown_member",),
    "long": ("long_body",),
    "utf8mb3": ("emoji",),
    "believes header": ("misnamed_event",),
    "no duplicates": ("duplicate", "duplicate_in_parallel", "duplicate_a_day_later", "replayed_under_another_id"),
    "forgets": ("duplicate_a_day_later",),
    "order": ("reordered_pair",),
    "hides failure": ("failure_reported",),
    "stores id first": ("redelivery_after_500",),
}


def checked(app: GiftApp, make: Callable[[GiftApp], Any] = flask_app, **options: Any) -> ReceiverReport:
    return giftsim.check_receiver(make(app), secret=SECRET, check=app.check, broken=app.broken, **options)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_fails_the_probes_that_name_it(fault: str) -> None:
    report = checked(GiftApp(fault))
    assert not report.passed
    assert set(report.failed) == set(FAULTS[fault]), str(report)


@shows("P-6.13")
def test_a_receiver_that_verifies_nothing_fails_every_forgery() -> None:
    failed = checked(GiftApp("verifies nothing"), old_secret=OLD).failed
    assert set(REFUSED) - set(failed) == {"unsigned_garbage"}  # which it cannot parse


def test_a_receiver_that_looks_and_stores_in_two_steps_counts_a_parallel_duplicate_twice() -> None:
    [result] = checked(GiftApp("race"), probes=("duplicate_in_parallel",)).results
    assert result.outcome is Outcome.FAIL
    assert result.reason.endswith("counts 2 times")


@pytest.mark.parametrize("make", [flask_app, starlette_app])
def test_a_right_receiver_of_both_interfaces_passes_every_probe(make: Callable[[GiftApp], Any]) -> None:
    app = GiftApp(secrets=(SECRET, NEXT))
    for interface in ("partner", "team"):
        report = checked(app, make, interface=interface, next_secret=NEXT, old_secret=OLD)
        assert report.named(Outcome.PASS) == tuple(probe.name for probe in PROBES), str(report)


class Sluggish:
    """A receiver that accepts what it is sent, after so many seconds."""

    has = frozenset({"http"})

    def __init__(self, took_s: float) -> None:
        self.took_s = took_s

    def send(self, _: Request) -> Answer:
        return Answer(204, self.took_s)

    def now_s(self) -> int:
        return 1_800_000_000

    def pass_time(self, span_s: int) -> None:
        raise AssertionError(span_s)


@pytest.mark.parametrize(("took_s", "outcome"), [(4.9, Outcome.PASS), (5.1, Outcome.WARNING)])
def test_an_answer_that_takes_half_of_the_time_is_a_warning(took_s: float, outcome: Outcome) -> None:
    stock = stock_of_world("partner", seed=1, ends_ms=1_800_000_000_000)
    [result] = Runner(Sluggish(took_s), stock, Secrets(SECRET)).run(choose_probes(("slow_answer",)))
    assert result.outcome is outcome


def test_without_a_check_what_only_effects_show_is_skipped() -> None:
    report = giftsim.check_receiver(flask_app(GiftApp("no duplicates")), secret=SECRET)
    assert report.passed
    reasons = {result.name: result.reason for result in report if result.outcome is Outcome.SKIPPED}
    assert set(reasons) == {
        *("rotated_secret", "retired_secret", "forged_first", "replayed_under_another_id", "misnamed_event"),
        *("duplicate", "duplicate_in_parallel", "duplicate_a_day_later", "reordered_pair"),
        *("failure_reported", "redelivery_after_500"),
    }
    assert reasons["duplicate"] == "answered 204 6 times; only a check can say what the app made of it"


def test_a_callable_accepts_by_returning_and_refuses_by_raising() -> None:
    def receive(hook: Webhook) -> None:
        verify.webhook(hook.body.encode("utf-8", "surrogateescape"), hook.headers.get(verify.HEADER), SECRET)

    report = giftsim.check_receiver(handler=receive, secret=SECRET)
    assert (report.failed, report.warned) == ((), ())
    skipped = [result.name for result in report if result.reason == "a callable is not an HTTP endpoint"]
    assert skipped == ["wrong_method", "content_type_with_charset", "wrong_content_type"]
    statuses = giftsim.check_receiver(handler=lambda _: 503, secret=SECRET)
    assert statuses.failed == ("genuine",)


def test_an_app_that_breaks_where_it_should_refuse_gets_a_warning() -> None:
    def app(environ: dict[str, Any], start_response: Any) -> Any:
        environ["HTTP_X_SERVICE_SIGNATURE"].encode("ascii")  # breaks without a header, and with other letters
        return flask_app(GiftApp())(environ, start_response)

    report = giftsim.check_receiver(app, secret=SECRET)
    assert report.warned == ("no_signature", "signature_not_ascii", "unsigned_garbage")
    assert "answered 500 (UnicodeEncodeError" in str(report)


def test_an_app_that_needs_members_that_may_be_null_gets_a_warning() -> None:
    report = checked(GiftApp("needs members"))
    assert (report.failed, report.warned) == ((), ("missing_member",))


def test_a_check_may_assert() -> None:
    def check(expected: Any) -> None:
        assert not expected.events, "there are events"

    report = giftsim.check_receiver(flask_app(GiftApp()), secret=SECRET, check=check)
    assert report.failed == ("genuine",)
    assert "there are events" in str(report)
    assert "not judged, because genuine failed" in str(report)


def test_the_same_seed_sends_the_same_bytes_and_another_other_events(giftsim: Giftsim) -> None:
    def sent(seed: int) -> list[Any]:
        report = giftsim.check_receiver(flask_app(GiftApp()), secret=SECRET, seed=seed)
        return [result.requests for result in report if "parallel" not in result.name]

    assert sent(1) == sent(1)
    assert sent(1)[0] != sent(2)[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "exactly one of them"),
        ({"app": flask_app(GiftApp()), "handler": print}, "exactly one of them"),
        ({"app": GiftApp}, "is a class; pass an instance of it"),
        ({"app": flask_app(GiftApp()), "probes": ("duplicates",)}, "there is no probe 'duplicates'; did you mean dup"),
    ],
)
def test_what_cannot_be_checked_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        giftsim.check_receiver(secret=SECRET, **options)
