"""What stands beside an exam in its result: files that other commands left."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from giftsim.engine.system import TooLarge, read_file
from giftsim.workbench.assumptions.assumptions_report import explained
from giftsim.workbench.exam.junit import JunitTests, UnreadableJunit, read_junit

MOST_BYTES = 32 * 1024 * 1024


class InvalidInput(ValueError):
    """An input that cannot be used; the message says which and why."""


class _Area(msgspec.Struct):
    met: list[str]
    missing: list[str]
    apart: list[str]
    percent: float


class _Coverage(msgspec.Struct):
    areas: dict[str, _Area]


class _Leaning(msgspec.Struct):
    test: str
    decision: str
    variant: str
    failure: str


class _Assumptions(msgspec.Struct):
    touched: list[str]
    leaning: list[_Leaning]
    safe: list[str]


def read_tests(paths: Iterable[Path]) -> JunitTests:
    """The tests of JUnit files. InvalidInput."""
    try:
        return read_junit(paths)
    except UnreadableJunit as error:
        raise InvalidInput(str(error)) from None


def read_coverage(path: Path) -> Any:
    """The coverage in a file. InvalidInput."""
    return _read(path, _Coverage, "a coverage")


def read_assumptions(path: Path) -> Any:
    """The assumptions in a file, explained where `run --assumptions` found them. InvalidInput."""
    data = _read(path, Any, "JSON")
    is_found = isinstance(data, dict) and "leaning" in data
    return explained(_read(path, _Assumptions, "what `run --assumptions` writes")) if is_found else data


def read_labels(texts: Iterable[str]) -> dict[str, str]:
    """Labels by name. InvalidInput."""
    labels = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not name.strip() or not sign:
            raise InvalidInput(f"--label takes NAME=TEXT, and {text!r} is something else")
        labels[name.strip()] = value.strip()
    return labels


def _read(path: Path, kind: type[Any] | Any, what: str) -> Any:
    """The data of a JSON file, whole; its known members are of the right kind."""
    try:
        data = msgspec.json.decode(read_file(path, MOST_BYTES))
        msgspec.convert(data, kind)
    except TooLarge as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} is not {what}: {error}") from None
    return data
