"""Test vectors of webhook verification: `vectors.json`, which any language can read, and the same as Python values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Vector(NamedTuple):
    """One request as received at `now` (unix seconds), and what a verifier makes of it."""

    name: str
    about: str
    secret: str
    header: str | None
    body: bytes
    now: int
    tolerance: int
    accepted: bool
    reason: str | None  # why it is refused: `reason` of a kind of InvalidSignature
    differs: Mapping[str, str]  # by library: how it disagrees, where the service's documents decide otherwise


def vectors_path() -> Path:
    """Where the JSON file is installed."""
    from pathlib import Path  # here, so that verifying in production does not pay for it

    return Path(__file__).with_name("vectors.json")


def vectors() -> tuple[Vector, ...]:
    """Every test vector."""
    import base64
    import json

    def read(node: dict[str, str]) -> bytes:
        return base64.b64decode(node["body_base64"]) if "body_base64" in node else node["body"].encode()

    return tuple(
        Vector(
            **{name: node[name] for name in ("name", "about", "secret", "header", "now", "tolerance", "reason")},
            body=read(node),
            accepted=node["verdict"] == "accepted",
            differs=node.get("differs", {}),
        )
        for node in json.loads(vectors_path().read_text(encoding="utf-8"))["vectors"]
    )
