"""The page that lists many traces, with the tests by outcome, the slowest, and the operations and errors they met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import msgspec

from giftsim.frontend.offline_page import offline_page
from giftsim.workbench.trace.file import VIEWER

OUTCOMES: Final = ("failed", "passed", "skipped")
MOST_SLOW: Final = 10
NAME: Final = "index.html"


class Summary(msgspec.Struct, frozen=True):
    """What the index says of a trace: its `file` beside the index, the test and how it ended, and what it met."""

    file: str
    id: str
    outcome: str
    seconds: float
    entries: int
    message: str = ""
    operations: dict[str, int] = {}
    errors: dict[str, int] = {}
    why: str = ""  # the sentence of its first verdict


def summarize_trace(file: str, trace: Mapping[str, Any]) -> Summary:
    """The summary of a trace's data. An error is named by its code, or by its status if the body has none."""
    test, entries = trace.get("test", {}), trace["entries"]
    calls = [entry["call"] for entry in entries if entry["kind"] == "call"]
    return Summary(
        file=file,
        id=test.get("id", f"World {trace['world']['id']}"),
        outcome=test.get("outcome", "passed"),
        seconds=test.get("seconds", 0.0),
        entries=len(entries),
        message=test.get("failure", {}).get("message", ""),
        why=next((verdict["sentence"] for verdict in trace.get("verdicts", ())), ""),
        operations=dict(Counter(call["operation"] for call in calls if "operation" in call)),
        errors=dict(Counter(error for call in calls if (error := _error(call["response"])))),
    )


def _error(response: Mapping[str, Any] | None) -> str:
    """What went wrong in a call, such as `404 not_found`; empty if nothing did."""
    if response is None:
        return "no response"
    if response["status"] < 400:
        return ""
    try:
        error = msgspec.json.decode(response.get("body", ""))["error"]
        code = error["code"] if isinstance(error, dict) else error
    except (msgspec.DecodeError, LookupError, TypeError):
        code = ""
    return f"{response['status']} {code}".strip()


def index_page(summaries: Iterable[Summary]) -> bytes:
    """The index as a page that opens offline and has no scripts."""
    rows = sorted(summaries, key=lambda row: (OUTCOMES.index(row.outcome), row.id, row.file))
    counts = Counter(row.outcome for row in rows)
    return offline_page(
        VIEWER,
        "index.html",
        told=", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome]) or "no traces",
        outcomes={outcome: [row for row in rows if row.outcome == outcome] for outcome in OUTCOMES if counts[outcome]},
        slowest=sorted(rows, key=lambda row: -row.seconds)[:MOST_SLOW],
        operations=_counted(rows, lambda row: row.operations),
        errors=_counted(rows, lambda row: row.errors),
        quote=quote,
    ).encode()


def _counted(
    rows: Sequence[Summary], counts_of: Callable[[Summary], Mapping[str, int]]
) -> list[tuple[str, int, list[Summary]]]:
    """How often something occurred, and the first tests in which it did."""
    total: Counter[str] = Counter()
    tests: dict[str, list[Summary]] = {}
    for row in rows:
        total.update(counts_of(row))
        for each in counts_of(row):
            tests.setdefault(each, []).append(row)
    return [(each, count, tests[each][:MOST_SLOW]) for each, count in total.most_common()]
