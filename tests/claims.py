"""The claims: testable statements about the service, and the decorator by which a test names those it checks."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

CLAIMS_FILE = Path(__file__).parent / "data" / "claims.yaml"


class Claim(msgspec.Struct, frozen=True, gc=False):
    """One statement about the service, and how to check it."""

    id: str
    kind: str
    claim: str
    check: str

    @property
    def family(self) -> str:
        """The interface it is about: `T` team, `P` partner, `M` museum."""
        return self.id.partition("-")[0]


def _read(path: Path) -> Mapping[str, Claim]:
    rows = msgspec.convert(yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader), list[Claim])
    return MappingProxyType({row.id: row for row in rows})


CLAIMS = _read(CLAIMS_FILE)


def claims(*ids: str) -> pytest.MarkDecorator:
    """Mark a test that fails if one of these claims is broken: `@claims("P-6.16", "P-6.17")`.

    ValueError at import if no id is given or an id is unknown.
    """
    unknown = [name for name in ids if name not in CLAIMS]
    if unknown or not ids:
        raise ValueError(
            f"unknown claim: {', '.join(unknown) or '(none given)'}; tests/data/{CLAIMS_FILE.name} has the claims"
        )
    return pytest.mark.claims(*ids)
