"""The descriptions of the state machines and their states, read from machines.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

TEXTS_FILE = Path(__file__).parent / "machines.yaml"


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a trigger or timer is due. `after` says from when its delay counts, `settings` what changes it."""

    source: tuple[str, ...]
    after: str = ""
    settings: tuple[str, ...] = ()


class TriggerText(Timing, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a trigger or timer does, and when it is due; `in_state` has the states in which it is due otherwise."""

    does: str
    in_state: Mapping[str, Timing] = {}

    def timing(self, state: str) -> Timing:
        """When it is due in a state."""
        return self.in_state.get(state, self)


class MachineText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a machine describes, and what each of its triggers does."""

    about: str
    source: tuple[str, ...]
    triggers: Mapping[str, TriggerText]


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of all machines, and of the timers that belong to no row of a machine."""

    machines: Mapping[str, MachineText]
    timers: Mapping[str, TriggerText]


@cache
def load_texts() -> Texts:
    """The texts by the names of machines, triggers and timers."""
    import yaml

    return msgspec.convert(yaml.load(TEXTS_FILE.read_bytes(), yaml.CSafeLoader), Texts)
