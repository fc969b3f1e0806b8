"""Claims: testable statements about the service, read from claims.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import msgspec

CLAIMS_FILE = Path(__file__).parent / "claims.yaml"
FAMILIES: Mapping[str, str] = MappingProxyType({"T": "team", "P": "partner", "M": "museum"})
KINDS = (
    "auth", "delivery", "error", "event", "field", "format", "idempotency", "limit", "money", "operation", "privacy",
    "scope", "state", "validation", "versioning",
)  # fmt: skip


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One statement about the service, and how to check it. `inferred` is the part that no document says literally."""

    id: str
    kind: str
    claim: str
    check: str
    inferred: str | None = None

    @property
    def family(self) -> str:
        """The interface that it is about: `team`, `partner` or `museum`."""
        return FAMILIES[self.id.partition("-")[0]]


@cache
def load_claims() -> Mapping[str, Claim]:
    """All claims by id, in the order of the file."""
    import yaml

    rows = msgspec.convert(yaml.load(CLAIMS_FILE.read_bytes(), yaml.CSafeLoader), list[Claim])
    return MappingProxyType({row.id: row for row in rows})
