"""A JUnit file with what giftsim found, for what shows tests: of an exam a case for each rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.etree import ElementTree as Xml

import msgspec

from giftsim.workbench.exam.explanation import found_beside

SUITE: Final = "giftsim"
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class WrittenCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case: `kind` is empty if it passed, else `failure`, `error` or `skipped`, with its `type` and why.

    The first line of `text` is the message.
    """

    suite: str
    name: str
    kind: str = ""
    type: str = ""
    text: str = ""
    output: str | None = None


def junit_file(cases: Sequence[WrittenCase]) -> bytes:
    """The text of a JUnit file with these cases."""
    kinds = Counter(case.kind for case in cases)
    counts = {"tests": len(cases), "failures": kinds["failure"], "errors": kinds["error"]}
    attributes = {"name": SUITE, **{name: str(count) for name, count in counts.items()}}
    root = Xml.Element("testsuites", attributes)  # which has no attribute `skipped` in the schema
    suite = Xml.SubElement(root, "testsuite", {**attributes, "skipped": str(kinds["skipped"]), "time": "0"})
    for case in cases:
        _add_case(suite, case)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'.encode()


def exam_junit(data: Mapping[str, Any]) -> bytes:
    """The rules of an exam's data as cases; what is not offered, or was not reached, is skipped."""
    return junit_file([_rule_case(row) for row in data["rules"]])


def _rule_case(row: Mapping[str, Any]) -> WrittenCase:
    kind = {"passed": "", "failed": "failure"}.get(row["outcome"], "skipped")
    found = found_beside(row["why"], row["reason"])
    lines = {"found": found, "mend": row["mend"], "sources": ", ".join(row["sources"]), "trace": row["trace"]}
    text = "\n".join((row["why"] or row["reason"], *(f"{name}: {line}" for name, line in lines.items() if line)))
    return WrittenCase(
        suite=f"{SUITE}.exam", name=row["id"], kind=kind, type=row["outcome"], text=text, output=row["rule"]
    )


def _add_case(suite: Xml.Element, written: WrittenCase) -> None:
    case = Xml.SubElement(
        suite, "testcase", {"classname": _xml(written.suite), "name": _xml(written.name), "time": "0"}
    )
    if written.kind:
        message = _xml(written.text.partition("\n")[0])
        Xml.SubElement(case, written.kind, {"message": message, "type": written.type}).text = _xml(written.text)
    if written.output is not None:
        Xml.SubElement(case, "system-out").text = _xml(written.output)


def _xml(text: str) -> str:
    """A text with a replacement for characters that no XML can have."""
    return _NOT_XML.sub("\ufffd", text)
