"""What a result says of a broken rule: the app's mistake, and one mistake told once."""

from __future__ import annotations

import json
import re
from contextlib import closing
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.examined_app import ExaminedApp
from giftsim.workbench.exam.explanation import explain, found_beside
from giftsim.workbench.exam.findings import findings
from giftsim.workbench.exam.judge import SAME_KEY
from giftsim.workbench.exam.page.exam_page import exam_page
from giftsim.workbench.exam.told_apart import told_apart
from giftsim.workbench.exam.without_start import KEPT, RESTARTED, SECOND
from tests.exam.command_line import data_of, run
from tests.exam.examined import RULES, examine
from tests.exam.order_shops import NewKeyAfterDecline, NewKeyForUnknown, OrdersAnew
from tests.exam.planted.further import BooksGoodsOnly
from tests.exam.planted.table import FIRST, FURTHER, MISTAKES
from tests.exam.sample_shop import serving

APP = "http://127.0.0.1:9100"
FAULT = {"kind": "changed_by_fault", "sentence": "the answer was lost because of the fault fault-1"}
REFUSED = {"kind": "refused_by_app", "sentence": f"the server at {APP} answered 500 to 2 attempts"}
OUTAGE = {"kind": "refused_by_app", "sentence": "the receiver shop.example answered 503 to 2 attempts"}
LATE = {"kind": "arrived_out_of_order", "sentence": "team_order.shipped arrived last"}
TWICE = {"kind": "charged_twice", "sentence": "it sent another key", "why_not": "it has to repeat a call with the key"}

# What each `why` must name, so that its reader knows the mistake.
NAMED = {
    "new-key-on-retry": "with another key",
    "once-per-shipment": "each with an id of its own, and booked 1",
    "writes-again": "their JSON is not spelled as JSON.stringify would write it",
    "last-comes-last": "told before",
    "goods-only": "without their shipping",
    "cancels-all": "was not to be canceled",
    "refunds-expired": "that a claim link expires pays nothing back",
    "first-page": "orders of a list in pages of",
    "ascii-names": "they name a recipient in letters outside ASCII",
    "misses-early-events": "its webhook came before the answer to the order",
    "believes-the-future": "signed ten minutes ahead",
    "first-signature": "of which the second is right",
    "keeps-secrets": "a secret that was replaced",
    "orders-anew": "unknown whether",
    "tells-links": "have the claim link of",
    "winter-time": "as if by a wrong difference from UTC",
    "marks-first": "while the app cannot do its work",
    "knows-its-own": "an order that somebody else placed",
    "settles-by-its-books": "and the app says",
}
SEEDS = {"last-comes-last": 3, "once-per-shipment": 3, "new-key-on-retry": 3, "orders-anew": 5}


@pytest.mark.parametrize("name", NAMED)
def test_the_why_of_a_planted_mistake_names_it(name: str) -> None:
    mistake = MISTAKES[name]
    result = examine(mistake.shop(), mistake.rule, seed=SEEDS.get(name, 11))[mistake.rule]
    assert NAMED[name] in (result.why or "")
    assert "fault" not in (result.why or "")


def test_every_planted_mistake_has_a_why() -> None:
    assert NAMED.keys() == {*FIRST, *FURTHER}


@pytest.mark.parametrize(
    ("reason", "verdict", "why", "mend"),
    [
        ("the app says 3", FAULT, "The app says 3.", ""),
        ("team_order.shipped was lost", FAULT, "team_order.shipped was lost.", ""),
        ("the gift is late", REFUSED, f"The gift is late. The server at {APP} answered 500 to 2 attempts.", ""),
        ("the gift is late", OUTAGE, "The gift is late.", ""),
        ("the app says shipped", LATE, "The app says shipped. team_order.shipped arrived last.", ""),
        ("it was booked 0 times", LATE, "It was booked 0 times.", ""),
        ("'a' is there twice", TWICE, "'a' is there twice. It sent another key.", "the app has to repeat a call"),
    ],
)
def test_a_verdict_follows_the_reason_if_it_tells_what_the_app_did(
    reason: str, verdict: dict[str, Any], why: str, mend: str
) -> None:
    said, advice = explain(reason, [verdict], APP)
    assert (said, advice.startswith(mend), bool(advice)) == (why, True, bool(mend))
    assert found_beside(said, reason) == ""
    assert found_beside("Because.", reason) == reason


def _body(name: str, reference: str = "a", **how: Any) -> str:
    data = {"recipient": {"name": name}, "team_order": {"reference": reference}}
    return json.dumps({"data": data}, **{"separators": (",", ":"), "ensure_ascii": False, **how})


def test_webhooks_that_were_refused_are_told_apart_by_what_only_they_have() -> None:
    plain, spaced, greek, foreign = _body("Bo"), _body("Bo", separators=(", ", ": ")), _body("Ελένη"), _body("Bo", "b")
    assert "spelled" in told_apart([spaced], [plain, greek])
    assert "letters" in told_apart([greek], [plain, spaced])
    assert "somebody else" in told_apart([foreign], [plain], ["b"])
    assert told_apart([spaced, plain], [greek]) == ""
    assert told_apart([spaced], [spaced]) == ""
    assert told_apart([_body("Ελένη", ensure_ascii=True)], []).count("they") == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<!doctype html>\n<html><head><title>Server\n Error</title></head><body>Oops</body></html>", ": Server Error"),
        ("<html><body>Oops</body></html>", ""),
        ("Traceback:\n  line 3\nKeyError: 'a'\n", ": KeyError: 'a'"),
        ('{"error": "no shop"}', ": no shop"),
        ("{}", ""),
    ],
)
def test_a_reason_quotes_at_most_one_line_of_an_answer(body: str, said: str) -> None:
    class Fails(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(500)
            self.end_headers()
            self.wfile.write(body.encode())

    reason = re.escape(f"POST /do order answered 500{said}")
    with (
        serving(None, Fails) as url,
        closing(ExaminedApp(AppProtocol(app=url, do="/do"))) as app,
        pytest.raises(RuleBroken, match=f"^{reason}$"),
    ):
        app.do("order")


def _row(name: str, reason: str, why: str = "") -> dict[str, Any]:
    return {"id": name, "rule": RULES[name].rule, "outcome": "failed", "reason": reason, "why": why}


def test_rules_that_are_broken_in_one_way_are_one_finding() -> None:
    rows = [
        _row("pays_once", "10 cents of 'PO/a' were charged, and the app says 9"),
        _row("orders_once", "'PO 1' was ordered 2 times"),
        _row("books_what_was_charged", "4321 cents of 'nº b.7' were charged, and the app says 1234"),
        {**_row("cancels_once", "the app does not offer cancel"), "outcome": "not_offered"},
        _row("books_expired_links", "the gift of a@example.com is delivered, and the app says shipped"),
        _row("books_rejected_parcels", "the gift of b.1@mail.example.org is rejected, and the app says claimed"),
        _row("takes_letters_from_everywhere", "a genuine webhook of type team_order.shipped was answered 400"),
        _row("books_every_event", "it was booked 1 times", f"It was. The server at {APP} answered 400 to 4 attempts"),
    ]
    assert [each["rules"] for each in findings(rows)] == [
        ["books_what_was_charged", "pays_once"],
        ["books_expired_links", "books_rejected_parcels"],
        ["takes_letters_from_everywhere", "books_every_event"],
        ["orders_once"],
    ]


def test_a_start_that_is_not_kept_is_one_finding() -> None:
    rows = [
        _row("shares_work", f"{SECOND} {KEPT}: it answered 400 to each webhook, such as one of type gift.claimed"),
        _row("survives_restarts", f"{RESTARTED} {KEPT}: it made no call to the service, and 'a' was ordered 0 times"),
    ]
    assert [each["rules"] for each in findings(rows)] == [["survives_restarts", "shares_work"]]


ORDERED = "'PO 1' was ordered 2 times"
HOW = "a genuine webhook of type ping was answered 400: of 9 webhooks the app refused 3, and what these have in common"
SPELLED = "their JSON is not spelled as JSON.stringify would write it"
LETTERS = "they name a recipient in letters outside ASCII"
CHANGED = "the app answered 400, where 2xx is right (sent: a text with letters of many scripts)"


@pytest.mark.parametrize(
    ("reasons", "first"),
    [
        ({"books_refunds": ORDERED, "leans_on_no_guess": ORDERED, "pays_declined_orders_later": ORDERED}, 2),
        ({"books_refunds": ORDERED, "pays_declined_orders_later": ORDERED, "orders_once": ORDERED}, 2),
        ({"cancels_once": ORDERED, "pays_declined_orders_later": ORDERED, "pays_once": ORDERED}, 2),
        ({"leans_on_no_guess": "the app says 3", "survives_restarts": "the app says 4"}, 1),
        ({"takes_letters_from_everywhere": f"{HOW} is that {SPELLED} and {LETTERS}", "verifies_raw_bytes": CHANGED}, 1),
        ({"tells_when_it_happened": f"{HOW} is that {SPELLED}", "verifies_raw_bytes": CHANGED}, 1),
        ({"verifies_raw_bytes": CHANGED, "takes_letters_from_everywhere": f"{HOW} is that {LETTERS}"}, 1),
    ],
)
def test_the_rule_that_is_nearest_to_the_cause_begins_a_finding(reasons: dict[str, str], first: int) -> None:
    [found] = findings(_row(name, reason) for name, reason in reasons.items())
    assert found["rules"][0] == list(reasons)[first]


def test_a_guess_that_an_app_leans_on_is_a_finding_of_its_own() -> None:
    leans = f"pays_once: {ORDERED}, where the service reads a guess otherwise (B23): It is silent."
    found = findings([_row("orders_once", ORDERED), _row("leans_on_no_guess", leans)])
    assert [each["rules"] for each in found] == [["orders_once"], ["leans_on_no_guess"]]


@pytest.mark.parametrize(
    ("shop", "rule"),
    [
        (NewKeyAfterDecline, "pays_declined_orders_later"),
        (OrdersAnew, "orders_once"),
        (NewKeyForUnknown, "waits_out_unknown_outcomes"),
    ],
)
def test_an_order_that_was_made_again_with_another_key_has_a_mend(shop: Any, rule: str) -> None:
    result = examine(shop(), rule, seed=6)[rule]
    assert re.search(r"ordered .*\d+ times", result.reason or "")
    assert result.mend == SAME_KEY


def test_the_page_and_the_lines_tell_one_mistake_once(folder: Path) -> None:
    rules = ("pays_once", "orders_once", "books_what_was_charged")
    with serving(BooksGoodsOnly()) as url:
        only = [each for name in rules for each in ("--only", name)]
        done = run("--app", url, *only, "--rounds", 1, "--seed", 5, "--out", "made")
    data = data_of(folder / "made")
    assert data["findings"] == [{"rules": ["books_what_was_charged", "pays_once", "orders_once"]}]
    assert [row["outcome"] for row in data["rules"]] == ["failed"] * 3
    assert done.stdout.count("  why:") == 1
    assert "  breaks 2 more rules: pays_once, orders_once\n" in done.stdout
    page = exam_page(data).decode()
    assert page.count('class="card finding"') == 1
    assert page.count('href="#finding-books_what_was_charged"') == len(rules)
    assert "Breaks 2 more rules in the same way" in page
