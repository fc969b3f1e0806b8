"""The table of the page about services: each extension point of the engine, and what a service tells there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.engine.gateway.extension_points import EXTENSION_POINTS
from giftsim.engine.gateway.simulated_service import Service
from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.services.museum.service import MUSEUM
from tools.docgen.markdown import table

NOTHING = "–"


def extension_points() -> str:
    """Each extension point with what the museum tells there."""
    rows = [(f"`{name}`", means, _told(MUSEUM, name)) for name, means in EXTENSION_POINTS.items()]
    return table(("member", "what it is", "the museum"), rows)


def _told(service: Service, name: str) -> str:
    """What a service tells at an extension point, in a few words."""
    value = getattr(service, name)
    if isinstance(value, str):
        return f"`{value}`"
    if isinstance(value, PackageDefinitions):
        tables, settings = (", ".join(f"`{each.name}`" for each in part) for part in (value.tables, value.settings))
        return f"tables {tables}; settings {settings}"
    if isinstance(value, Mapping):
        return ", ".join(f"`{key}`" for key in value) or NOTHING
    return ", ".join(_words(each) for each in value) or NOTHING if isinstance(value, Sequence) else NOTHING


def _words(piece: Any) -> str:
    if isinstance(piece, str):
        return f"`{piece}`"
    if isinstance(piece, Mapping):
        return ", ".join(f"`{name}`" for name in piece)
    named = getattr(piece, "name", None) or getattr(piece, "__name__", "").strip("_")
    return f"`{named}`" if named else "yes"
