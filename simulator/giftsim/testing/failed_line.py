"""What the line of a failed test names, for the verdict on it: the two sides of its comparison, and its variables.

Nothing is called again: pytest has the sides of a comparison, and variables are read from the frame of the line.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from textwrap import dedent
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from giftsim.engine.kernel.texts import one_line
from giftsim.testing.actions import plain
from giftsim.testing.call_notes import is_users
from giftsim.testing.messages import WebhookAssertionError

MOST_BYTES: Final = 16 * 1024  # of a value
MOST_IDS: Final = 100
LONGEST_WORD: Final = 100
NOTHING: Final = (b"null", b"{}", b"[]", b'""')
UNKNOWN: Final = "unknown"
_ERROR: Final = re.compile(r"E +")  # before each line of the error, as pytest shows it
_RUNNER: Final = ("_pytest.", "pluggy.", "giftsim.pytest_plugin.", "giftsim.testing.")


class Comparison(NamedTuple):
    """The comparison of an assertion that failed, and the line of the assertion."""

    op: str
    left: object
    right: object
    place: tuple[CodeType, int]


COMPARISON_KEY = pytest.StashKey[Comparison | None]()


def note_comparison(config: pytest.Config, op: str, left: object, right: object) -> None:
    """Keep the latest comparison of an assertion that failed."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and f"{frame.f_globals.get('__name__', '')}.".startswith(_RUNNER):
        frame = frame.f_back
    if frame is not None:
        config.stash[COMPARISON_KEY] = Comparison(op, left, right, (frame.f_code, frame.f_lineno))


def named_by(error: pytest.ExceptionInfo[BaseException], config: pytest.Config) -> dict[str, Any]:
    """What a failure names, as members of `failure` in the facts of a trace.

    `values` are the variables of the line, `words` the names and texts in it. `ids` are those in the other variables
    of the test, and `mentions` its texts that may be types of events. `compared` has the sides of the comparison,
    `expected` what a method of the world expected.
    """
    found: dict[str, Any] = {"expected": error.value.expected} if isinstance(error.value, WebhookAssertionError) else {}
    compared = config.stash.get(COMPARISON_KEY, None)
    config.stash[COMPARISON_KEY] = None  # keeps nothing of the test alive
    entries = [each for each in error.traceback if is_users(each.frame.code.raw, f"{config.rootpath}/")]
    if not entries:
        return found
    line, variables = entries[-1], entries[-1].frame.f_locals
    names, words = _named(str(line.statement))
    found["words"] = [*names, *words]
    found["mentions"] = [word for word in entries[0].frame.code.raw.co_consts if isinstance(word, str) and "." in word]
    found["values"] = [json for name in names if name in variables for json in _as_json(variables[name])]
    found["ids"] = list(dict.fromkeys(_ids(entries[0].locals.items())))[:MOST_IDS]
    if compared is not None and compared.place == (line.frame.code.raw, line.lineno + 1):
        sides = {name: json for name in ("left", "right") for json in _as_json(getattr(compared, name))}
        found["compared"] = {"op": compared.op, **sides}
    return found


def _named(statement: str) -> tuple[list[str], list[str]]:
    """The variables that a statement names, and its other words: attributes and texts.

    Of a compound statement it is the first line.
    """
    text = dedent(statement).strip()
    with suppress(SyntaxError, ValueError):
        nodes = [*ast.walk(ast.parse(f"{text} pass" if text.endswith(":") else text))]
        words = [node.attr if isinstance(node, ast.Attribute) else getattr(node, "value", None) for node in nodes]
        texts = [word for word in words if isinstance(word, str) and len(word) <= LONGEST_WORD]
        return [*dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name))], [*dict.fromkeys(texts)]
    return [], []


def _as_json(value: object) -> Iterator[Any]:
    """A value that is data, as JSON; the status and JSON of a response. Nothing for others."""
    with suppress(Exception):  # a value's own code may fail
        text = msgspec.json.encode(_data_of(value), enc_hook=_members)
        if len(text) <= MOST_BYTES and text not in NOTHING:
            yield msgspec.json.decode(text)


def _data_of(value: Any) -> Any:
    status = getattr(value, "status_code", getattr(value, "status", None))
    if isinstance(status, int) and hasattr(value, "json"):
        with suppress(Exception):
            return {"status": status, "body": plain(value)}
        return {"status": status}
    return value


def _members(value: object) -> Any:
    """What an object of the app says of a record: its ids and its status."""
    return {name: each for name, each in vars(value).items() if _is_id(name, each) or name == "status"}


def _ids(members: Iterable[tuple[Any, object]]) -> Iterator[int | str]:
    """The ids in data: the members and variables that are named so."""
    for name, value in members:
        if _is_id(name, value):
            yield value  # type: ignore[misc]
        else:
            for json in _as_json(value):
                yield from _ids(_pairs(json))


def _pairs(json: Any) -> Iterable[tuple[Any, object]]:
    return json.items() if isinstance(json, dict) else enumerate(json) if isinstance(json, list) else ()


def _is_id(name: object, value: object) -> bool:
    return isinstance(name, str) and name.endswith("id") and isinstance(value, int | str)


def say_why(
    report: pytest.TestReport, verdicts: Mapping[str, Sequence[Mapping[str, Any]]], *, is_assertion: bool
) -> list[str]:
    """Say the first verdict under the error of a failed test, with the line that would change it.

    `verdicts` are those of its worlds by the names of their fixtures. The result are lines for which the report has no
    place: its style shows no error.
    """
    firsts = [(name, own[0]) for name, own in verdicts.items() if own]
    if not firsts:
        return []
    fixture, verdict = min(firsts, key=lambda each: each[1]["kind"] == UNKNOWN)
    if verdict["kind"] == UNKNOWN and not is_assertion:  # another error has a cause of its own
        return []
    lines = [f"why: {one_line(verdict['sentence'])}"]
    if mend := verdict["mend"]["pytest"]:
        lines += [f"mend: {line}" for line in mend.replace("giftsim.", f"{fixture}.").splitlines()]
    entries = getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", ())
    for entry in reversed(entries):
        for number, line in enumerate(entry.lines):
            if error := _ERROR.match(line):
                entry.lines[number + 1 : number + 1] = [f"{error[0]}{each}" for each in lines]
                return []
    return lines
