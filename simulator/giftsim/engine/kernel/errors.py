"""Errors of the kernel itself. The packages above say what a caller is answered (giftsim/engine/problem.py)."""

from __future__ import annotations

import msgspec


class InvalidTransition(Exception):
    """A state machine has no row for this trigger in the record's state."""


class InvalidSetting(ValueError):
    """A setting has no such name, or cannot take the value."""


class ErrorTypes(msgspec.Struct, frozen=True):
    """The classes that a state raises, so that the packages above can add what their callers need."""

    invalid_transition: type[InvalidTransition] = InvalidTransition
    invalid_setting: type[InvalidSetting] = InvalidSetting


PLAIN = ErrorTypes()
