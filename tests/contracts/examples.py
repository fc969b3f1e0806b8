"""Writes the examples of the published contracts anew: `python -m tests.contracts.examples`."""

from __future__ import annotations

import msgspec

from giftsim.services.gifting.interfaces.published.blueprint import EXAMPLES
from tests.contracts.example_run import record_examples
from tests.docs.pages import ROOT


def files() -> dict[str, bytes]:
    """The content of each file, by its name."""
    return {
        f"{name}.json": msgspec.json.format(msgspec.json.encode(examples), indent=1) + b"\n"
        for name, examples in record_examples().items()
    }


if __name__ == "__main__":
    assert EXAMPLES.is_relative_to(ROOT), f"giftsim is that of another folder: {EXAMPLES}"
    EXAMPLES.mkdir(exist_ok=True)
    for name, content in files().items():
        (EXAMPLES / name).write_bytes(content)
