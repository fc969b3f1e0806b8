"""A cache of the parsed files that every start reads, contracts and fixtures, as JSON named by the hash of the YAML.

A wheel contains all of them (hatch_build.py). A checkout writes them to `__pycache__`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

SHIPPED = Path(__file__).parents[2] / "_data" / "contracts"


def read_yaml(path: Path, check: Callable[[Any], None] = lambda _data: None) -> Any:
    """The data of a YAML file. Parsing YAML takes twenty times as long as reading the cached JSON.

    `check` gets the parsed data and raises an exception if it is wrong. Cached data has passed it.
    """
    text = path.read_bytes()
    installed = SHIPPED.is_dir()
    folder = SHIPPED if installed else path.parent / "__pycache__"
    cached = folder / f"{path.stem}.{sha256(text).hexdigest()[:16]}.json"
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(cached.read_bytes())
    import yaml

    data = yaml.load(text, yaml.CSafeLoader)
    check(data)
    if installed:  # `pip uninstall` would not know what is written here
        return data
    with suppress(OSError):  # a read-only checkout parses at every start
        folder.mkdir(exist_ok=True)
        draft = cached.with_suffix(".draft")
        draft.write_bytes(msgspec.json.encode(data))
        draft.replace(cached)
    return data
