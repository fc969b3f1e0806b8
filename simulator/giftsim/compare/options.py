"""What a comparison is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Options:
    """`now` is the instant at which the worlds begin, `run` the text that makes names new, both the same on both sides.

    `unmarked` plays scenarios without a mark too, `spend` those that charge. `patience_s` is the longest wait in place
    of one step of the clock. An answer of the service that takes more than `slow_s` is a difference. `values` are
    variables of scenarios for the service, `settings` those of giftsim's worlds.
    """

    now: str
    run: str
    spend: bool = False
    unmarked: bool = False
    patience_s: float = 0.0
    slow_s: float | None = None
    operations: frozenset[str] = frozenset()
    values: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
