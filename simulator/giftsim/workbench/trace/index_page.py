"""The page that lists many traces, with the tests by outcome, the slowest, and the operations and errors they met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final
from urllib.parse import quote

import msgspec

from giftsim.workbench.trace.file import VIEWER, style_hash

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


def summarize(file: str, trace: Mapping[str, Any]) -> Summary:
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
    """The index as one page without scripts or foreign requests."""
    rows = sorted(summaries, key=lambda row: (OUTCOMES.index(row.outcome), row.id, row.file))
    counts = Counter(row.outcome for row in rows)
    told = ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome]) or "no traces"
    style = (VIEWER / "index.css").read_text(encoding="utf-8")
    sections = [_tests(rows, outcome) for outcome in OUTCOMES if counts[outcome]]
    slowest = sorted(rows, key=lambda row: -row.seconds)[:MOST_SLOW]
    sections += [_table("Slowest", ("Test", "Seconds"), [(_link(row), f"{row.seconds:.2f}") for row in slowest])]
    sections += [_counted("Operations", "Operation", rows, lambda row: row.operations)]
    sections += [_counted("Errors", "Error", rows, lambda row: row.errors)]
    return _PAGE.format(hash=style_hash(style), style=style, told=escape(told), body="".join(sections)).encode()


_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{hash}'; base-uri 'none'; form-action 'none'">
<title>Traces: {told}</title>
<style>{style}</style>
</head>
<body>
<header><h1>Traces</h1><p>{told}</p></header>
<main>
{body}</main>
</body>
</html>
"""  # noqa: E501


def _tests(rows: Sequence[Summary], outcome: str) -> str:
    own = [row for row in rows if row.outcome == outcome]
    cells = [(_link(row), escape(row.message), f"{row.seconds:.2f}", str(row.entries)) for row in own]
    return _table(outcome.capitalize(), ("Test", "Why", "Seconds", "Entries"), cells, outcome)


def _counted(title: str, name: str, rows: Sequence[Summary], counts_of: Any) -> str:
    """How often something occurred, and in which tests."""
    total: Counter[str] = Counter()
    tests: dict[str, list[Summary]] = {}
    for row in rows:
        total.update(counts_of(row))
        for each in counts_of(row):
            tests.setdefault(each, []).append(row)
    cells = [
        (f"<code>{escape(each)}</code>", str(count), "<br>".join(map(_link, tests[each][:MOST_SLOW])))
        for each, count in total.most_common()
    ]
    return _table(title, (name, "Calls", "Tests"), cells)


def _table(title: str, heads: Sequence[str], cells: Sequence[Sequence[str]], kind: str = "") -> str:
    if not cells:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in cells)
    label = title.lower()
    return (
        f'<section class="{kind}" aria-labelledby="{label}"><h2 id="{label}">{title} <span>{len(cells)}</span></h2>\n'
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></section>\n"
    )


def _link(row: Summary) -> str:
    return f'<a href="{quote(row.file)}">{escape(row.id)}</a>'
