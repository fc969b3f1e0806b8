"""The traces of a test run: one file for each world of a test, in `.giftsim/traces`, and their index."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from linecache import getlines
from pathlib import Path
from typing import Any

import msgspec
import pytest

from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.provenance.record_json import cut_text
from giftsim.testing.call_notes import NOTES_KEY, Note, code_of
from giftsim.testing.failed_line import named_by, say_why
from giftsim.testing.never_failing import at_the_end, never_failing
from giftsim.testing.world_for_test import Giftsim
from giftsim.workbench.trace.file import read_trace_file
from giftsim.workbench.trace.index_page import NAME, Summary, index_page, summarize_trace
from giftsim.workbench.trace.own_folder import begin_folder

FOLDER = Path(".giftsim", "traces")
SUMMARIES = "giftsim_traces"  # of a test's traces, an attribute of its report
LONGEST = 120  # characters of a file's name
AROUND = 3  # lines shown before and after those of an app that made calls
MOST_LINES = 400
LONGEST_TEXT = 256 * 1024  # characters of a failure, and of each output of a test
MOST_BYTES = 4_000_000  # of the facts, which are the body of one request
REPORTED_KEY = pytest.StashKey[Counter[str]]()
Lines = dict[str, list[int]]


def add_worlds(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport, *, with_traces: bool) -> None:
    """Write the traces of a test's worlds. Say in the report of a failed test why, and what the worlds met."""
    sections, verdicts, named = [], dict[str, list[Any]](), dict[str, Any]()
    with never_failing("the failed line cannot be read", at_the_end(item.config)):
        named = named_by(call.excinfo, item.config) if report.failed and call.excinfo else {}
    for name, world in shown_worlds(item):
        lines: list[str] = []
        say = lines.append if report.failed else at_the_end(item.config)
        if report.failed:
            with never_failing("the world cannot be read", say):
                lines.append(world.summary())
        with never_failing("trace: none could be written", say):
            page = world.trace(facts(item, report, world, named))
            data = read_trace_file(page)
            verdicts[name] = data.get("verdicts", [])
            if with_traces:
                lines.append(f"trace: {_write(item, report, name, page, data).as_uri()}")
        sections.append((f"{name}: world {world.world}", "\n".join(lines)))
    if report.failed:
        is_assertion = call.excinfo is not None and isinstance(call.excinfo.value, AssertionError)
        why = say_why(report, verdicts, is_assertion=is_assertion)
        report.sections += [*([("giftsim", "\n".join(why))] if why else []), *sections]


def _write(item: pytest.Item, report: pytest.TestReport, name: str, page: bytes, data: dict[str, Any]) -> Path:
    """Write the trace of a test's world; its whole path."""
    reported = item.stash.setdefault(REPORTED_KEY, Counter())
    reported[name] += 1
    path = item.config.rootpath / FOLDER / file_name(item.nodeid, name, reported[name])
    begin_folder(path.parent)
    path.write_bytes(page)
    summary = summarize_trace(path.name, data)
    report.__dict__.setdefault(SUMMARIES, []).append(msgspec.to_builtins(summary))  # a worker sends it with the report
    return path


def shown(config: pytest.Config, path: Path) -> str:
    """A path from the root, as it leads to the file from the folder in which pytest was started."""
    whole = config.rootpath / path
    try:
        return os.path.relpath(whole, config.invocation_params.dir)
    except ValueError:  # on Windows, on another drive
        return str(whole)


def write_index(root: Path, summaries: list[dict[str, Any]]) -> Path:
    """Write the index of a run's traces; its whole path."""
    path = root / FOLDER / NAME
    begin_folder(path.parent)
    path.write_bytes(index_page(msgspec.convert(summaries, list[Summary])))
    return path


def file_name(test: str, fixture: str, number: int = 1) -> str:
    """The name of a trace, by which people find the test; unique also where it is cut or characters are replaced.

    A test has several if it is reported several times: its subtests are, and repetitions of a test that failed.
    """
    plain = re.sub(r"[^\w.\[\]-]+", "-", test, flags=re.ASCII).strip("-.")
    is_exact = plain == test.replace("/", "-").replace("::", "-") and len(plain) <= LONGEST
    end = "" if is_exact else f"-{sha256(test.encode(errors='replace')).hexdigest()[:8]}"
    more = f"{'' if fixture == 'giftsim' else '.server'}{'' if number == 1 else f'.{number}'}"
    return f"{plain[:LONGEST]}{end}{more}.html"


def facts(item: pytest.Item, report: pytest.TestReport, world: Giftsim, named: dict[str, Any]) -> dict[str, Any]:
    """What a test knows of the trace of its world; `named` is what its failure names."""
    lines: Lines = {}
    notes = item.stash.get(NOTES_KEY, None)
    root = str(item.config.rootpath)
    calls = [_call(note, root, lines) for note in notes.notes()] if notes else []
    file, line, _ = item.location
    test: dict[str, Any] = {"id": item.nodeid, "outcome": report.outcome, "seconds": round(report.duration, 3)}
    test["ran"] = {"from": format_instant(int(report.start * 1000)), "to": format_instant(int(report.stop * 1000))}
    if line is not None:
        test["place"] = {"file": file, "line": line + 1}
        lines.setdefault(file, []).extend(_function_lines(item, line + 1))
    if report.failed:
        test["failure"] = _failure(report, item.config, lines) | named
    output = {title: text for title, text in report.sections if title.startswith("Captured ")}
    if refused := world.refused_calls():
        output["Calls that this world refused"] = "\n".join(refused)
    test |= {"output": output} if output else {}
    around = {name: 0 if name == file else AROUND for name in lines}
    sources = {name: shown for name in lines if (shown := _source(root, name, lines[name], around[name]))}
    test |= {"sources": sources} if sources else {}
    told = {"test": test, "calls": calls, "redact": item.config.getoption("giftsim_trace_redact") or []}
    return _within_limits(told)


def _within_limits(told: dict[str, Any]) -> dict[str, Any]:
    """The facts as texts in UTF-8 that one request holds: long texts are cut, and very many calls have no lines."""
    told = _plain(told)
    return told if len(msgspec.json.encode(told)) <= MOST_BYTES else {**told, "calls": []}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        text = value.encode(errors="backslashreplace").decode()
        return text if len(text) <= LONGEST_TEXT else cut_text(text, LONGEST_TEXT)
    if isinstance(value, dict):
        return {_plain(name): _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _call(note: Note, root: str, lines: Lines) -> dict[str, Any]:
    call: dict[str, Any] = {"method": note.method, "path": note.path}
    for name, place in (("source", note.source), ("test_source", note.test_source)):
        if place is not None:
            code, line = place
            file = _relative(code.co_filename, root)
            call[name] = {"file": file, "line": line, "function": code.co_qualname}
            lines.setdefault(file, []).append(line)
    more = {"request_id": note.request_id, "during": note.during}
    return call | {name: value for name, value in more.items() if value is not None}


def _relative(file: str, root: str) -> str:
    return file.removeprefix(f"{root}/")


def _function_lines(item: pytest.Item, first: int) -> range:
    """The lines of a test function."""
    code = code_of(item)
    if code is None:
        return range(first, first + 1)
    return range(first, max((line for _, _, line in code.co_lines() if line), default=first) + 1)


def _failure(report: pytest.TestReport, config: pytest.Config, lines: Lines) -> dict[str, Any]:
    """The failure of a test, at the line of the user's code where it was seen."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = report.longreprtext
    message = (crash.message if crash else text).partition("\n")[0]
    failure: dict[str, Any] = {"message": message or "the test failed", "text": text}
    entries = getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", ())
    # Python's own tracebacks, as of exception groups, have no places, and short styles leave them out.
    places = [found for entry in entries if (found := getattr(entry, "reprfileloc", None))]
    if place := places[-1] if places else crash:
        path, line = Path(config.invocation_params.dir, place.path).resolve(), place.lineno
        file = _relative(str(path), str(config.rootpath))
        failure["place"] = {"file": file, "line": line}
        lines.setdefault(file, []).append(line)
    return failure


def _source(root: str, file: str, numbers: list[int], around: int) -> dict[str, Any] | None:
    """The lines of a file from the first to the last of these numbers, and some around them."""
    text = getlines(str(Path(root, file)))
    first = max(1, min(numbers) - around)
    last = min(len(text), max(numbers) + around, first + MOST_LINES)
    found = [line.rstrip("\n") for line in text[first - 1 : last]]
    return {"first": first, "lines": found} if found else None


def shown_worlds(item: pytest.Item) -> Iterator[tuple[str, Giftsim]]:
    """The worlds of a test by the names of their fixtures."""
    values: Mapping[str, Any] = getattr(item, "funcargs", {})
    for name in ("giftsim", "giftsim_server"):
        if isinstance(world := values.get(name), Giftsim):  # a project may have a fixture with this name of its own
            yield name, world
