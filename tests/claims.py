"""The ledger of claims: what holds of the service, and the decorator by which a test answers for some of it."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

LEDGER = Path(__file__).parent / "data" / "claims.yaml"


class Claim(msgspec.Struct, frozen=True, gc=False):
    """One statement about the service, and how to see whether it holds."""

    id: str
    kind: str
    claim: str
    check: str

    @property
    def family(self) -> str:
        """The interface it speaks of: `T` team, `P` partner, `M` museum."""
        return self.id.partition("-")[0]


def _read(path: Path) -> Mapping[str, Claim]:
    rows = msgspec.convert(yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader), list[Claim])
    return MappingProxyType({row.id: row for row in rows})


CLAIMS = _read(LEDGER)


def claims(*ids: str) -> pytest.MarkDecorator:
    """Marks a test that would fail if one of these claims were broken: `@claims("P-6.16", "P-6.17")`.

    A ValueError at import for no id at all or an id that the ledger does not hold.
    """
    unknown = [name for name in ids if name not in CLAIMS]
    if unknown or not ids:
        raise ValueError(f"no such claim in {LEDGER.name}: {', '.join(unknown) or '(none given)'}")
    return pytest.mark.claims(*ids)
