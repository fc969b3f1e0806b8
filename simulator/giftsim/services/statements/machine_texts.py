"""The descriptions of the state machines and their states, read from machines.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from giftsim.engine.gateway.documents import MachineText, TriggerText

TEXTS_FILE = Path(__file__).parent / "machines.yaml"


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of all machines, and of the timers that belong to no row of a machine."""

    machines: Mapping[str, MachineText]
    timers: Mapping[str, TriggerText]


@cache
def load_texts() -> Texts:
    """The texts by the names of machines, triggers and timers."""
    import yaml

    return msgspec.convert(yaml.load(TEXTS_FILE.read_bytes(), yaml.CSafeLoader), Texts)
