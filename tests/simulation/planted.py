"""Faults that are planted in the product, to see that the simulation finds them.

`faults.yaml` lists them. Each names a definition and what changes in it, as the tables in `tools/mutants` do, and the
seed that found it. A fault is planted in the process alone: its module is loaded with another text.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

import msgspec
import yaml

from tools.mutants.mutant import Checkout, Mutant

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("faults.yaml")
TEST = "test_a_planted_fault_is_found_by_its_seed_and_by_a_search"


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault: what it breaks, where, and the seed that found it first."""

    breaks: str
    place: str = msgspec.field(name="in")
    seed: int
    change: str | None = None
    to: str | bool | int | None = None
    remove: str | None = None

    @property
    def mutant(self) -> Mutant:
        """The same as a mutant."""
        return Mutant(self.breaks, self.place, TEST, self.change, self.to, self.remove)


def faults() -> list[Fault]:
    """All that the table has."""
    return msgspec.convert(yaml.safe_load(TABLE.read_text(encoding="utf-8")), list[Fault])


def plant(fault: Fault) -> None:
    """Load the module of a fault with it. Call it before anything of the product is imported."""
    change = Checkout(ROOT).change(fault.mutant)
    name = ".".join(change.path.with_suffix("").parts[1:])
    if name in sys.modules:
        raise RuntimeError(f"{name} is loaded already, without the fault")
    sys.meta_path.insert(0, PlantedFinder(name, ROOT / change.path, change.text))


class PlantedFinder(MetaPathFinder):
    """Finds one module, with another text than that of its file."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self._name, self._path, self._text = name, path, text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module, if it is the one."""
        if fullname != self._name:
            return None
        found = PathFinder.find_spec(fullname, path)
        assert found is not None
        return spec_from_loader(fullname, PlantedLoader(self._path, self._text), origin=str(self._path))


class PlantedLoader(SourceLoader):
    """Loads a text as a module."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text

    def get_filename(self, _fullname: str) -> str:
        """Where the text belongs."""
        return str(self._path)

    def get_data(self, _path: str | bytes) -> bytes:
        """The text."""
        return self._text.encode()
