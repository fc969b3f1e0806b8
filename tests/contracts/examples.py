"""Writes the examples of the published contracts again: `python -m tools examples`.

They are kept in git, unlike what else is generated: to make them, all scenarios of a run are played with all that the
simulator needs, which a build of the wheel in an environment of its own has not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.services.published.blueprint import EXAMPLES
from tests.contracts.example_run import record_examples
from tests.docs.pages import ROOT


def files() -> dict[str, bytes]:
    """The content of each file, by its name: an operation a line."""
    return {f"{name}.json": in_lines(examples) for name, examples in record_examples().items()}


def in_lines(examples: Mapping[str, Any]) -> bytes:
    """JSON with a line for each member."""
    members = (msgspec.json.encode({name: example})[1:-1] for name, example in examples.items())
    return b"{\n" + b",\n".join(members) + b"\n}\n"


if __name__ == "__main__":
    assert EXAMPLES.is_relative_to(ROOT), f"giftsim is that of another folder: {EXAMPLES}"
    EXAMPLES.mkdir(exist_ok=True)
    for name, content in files().items():
        (EXAMPLES / name).write_bytes(content)
