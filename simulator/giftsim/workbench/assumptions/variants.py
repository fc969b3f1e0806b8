"""The variants: for each a decision, what the documents do not say, another reading, and how not to depend on it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

TABLE: Final = Path(__file__).parent / "variants.yaml"


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another reading of a decision. `settings` turn it on; `silent` is what the documents do not say."""

    variant: str
    decision: str
    settings: dict[str, Any]
    silent: str
    other: str
    safe: str


@cache
def load_variants() -> Mapping[str, Variant]:
    """All variants by name, in the order of their table."""
    rows = yaml.load(TABLE.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return {each.variant: each for each in msgspec.convert(rows, list[Variant])}


def variants_among(settings: Container[str]) -> tuple[str, ...]:
    """The variants that these settings turn on: a simulator of some services has not those of the others."""
    return tuple(
        name for name, each in load_variants().items() if all(setting in settings for setting in each.settings)
    )


def settings_of(names: Iterable[str]) -> dict[str, Any]:
    """The settings of a world that reads several variants, by their names."""
    variants = load_variants()
    return {setting: value for name in names for setting, value in variants[name].settings.items()}
