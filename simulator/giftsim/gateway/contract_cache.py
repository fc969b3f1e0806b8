"""Contracts read once: the YAML's data is kept beside the byte code, under the hash of its text."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec


def read(path: Path) -> Any:
    """The data of a YAML file; from the second time on without parsing YAML, which takes twenty times as long."""
    text = path.read_bytes()
    kept = path.parent / "__pycache__" / f"{path.stem}.{sha256(text).hexdigest()[:16]}.json"
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(kept.read_bytes())
    import yaml

    data = yaml.load(text, yaml.CSafeLoader)
    with suppress(OSError):  # a read-only installation parses at every start
        kept.parent.mkdir(exist_ok=True)
        draft = kept.with_suffix(".draft")
        draft.write_bytes(msgspec.json.encode(data))
        draft.replace(kept)
    return data
