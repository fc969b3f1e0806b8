"""Stands in for what moves each runtime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path


class NodeClocks:
    """No hub."""

    def show(self, now_ms: int) -> int | None:  # noqa: ARG002
        """Show nobody."""
        return None

    def close(self) -> None:
        """Close nothing."""


def variables(time_file: Path, hub: NodeClocks, before: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG001
    """The environment."""
    library = str(next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")))
    return {
        "LD_PRELOAD": library,
        "FAKETIME_TIMESTAMP_FILE": str(time_file),
        "FAKETIME_FMT": "%s",
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def refuse_runtime(command: Sequence[str]) -> str | None:
    """Why a command's time cannot be moved."""
    return "Go reads the clock itself" if command[0] == "go" else None


def missing() -> str | None:
    """What to install."""
    return None
