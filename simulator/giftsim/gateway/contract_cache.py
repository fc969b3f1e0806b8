"""A cache of parsed contract files: JSON in `__pycache__`, named by the hash of the YAML text."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec


def read(path: Path) -> Any:
    """The data of a YAML file. Parsing YAML takes twenty times as long as reading the cached JSON."""
    text = path.read_bytes()
    cached = path.parent / "__pycache__" / f"{path.stem}.{sha256(text).hexdigest()[:16]}.json"
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(cached.read_bytes())
    import yaml

    data = yaml.load(text, yaml.CSafeLoader)
    with suppress(OSError):  # a read-only installation parses at every start
        cached.parent.mkdir(exist_ok=True)
        draft = cached.with_suffix(".draft")
        draft.write_bytes(msgspec.json.encode(data))
        draft.replace(cached)
    return data
