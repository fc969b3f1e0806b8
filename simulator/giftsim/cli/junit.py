"""The reports of played scenarios as a JUnit file, which CI systems show beside other tests.

A file holds no real time, so the same reports give the same bytes; times of the worlds are in the timelines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from xml.etree import ElementTree as Xml

from giftsim.cli.play import PlayedFile

SUITE = "giftsim"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(path: Path, reports: Sequence[PlayedFile]) -> None:
    """Write the reports to a file. OSError if it cannot be written."""
    path.write_bytes(junit(reports))


def junit(reports: Sequence[PlayedFile]) -> bytes:
    """The text of a JUnit file with a test case for each scenario file."""
    counts = {
        "tests": len(reports),
        "failures": sum(not report.passed and not report.refused for report in reports),
        "errors": sum(report.refused for report in reports),
    }
    attributes = {name: str(count) for name, count in counts.items()}
    root = Xml.Element("testsuites", {"name": SUITE, **attributes})
    suite = Xml.SubElement(root, "testsuite", {"name": SUITE, **attributes, "skipped": "0", "time": "0"})
    for report in reports:
        _add_case(suite, report)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'.encode()


def _add_case(suite: Xml.Element, report: PlayedFile) -> None:
    path = PurePath(report.path)
    name = path.name if report.refused else report.data["scenario"]
    case = Xml.SubElement(suite, "testcase", {"classname": _text(path.as_posix()), "name": _text(name), "time": "0"})
    if not report.passed:
        kind = "error" if report.refused else "failure"
        message = _text(report.reason.partition("\n")[0])
        problem = Xml.SubElement(case, kind, {"message": message, "type": report.data["outcome"]})
        problem.text = _text(report.reason)
    Xml.SubElement(case, "system-out").text = _text(report.timeline)


def _text(text: str) -> str:
    """A text with a replacement for characters that no XML can have."""
    return NOT_XML.sub("\ufffd", text)
