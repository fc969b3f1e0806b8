"""Credentials of a world by name, of all its services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.engine.control.control_errors import KeyNotFound
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name


def list_credentials(state: State, world_id: str) -> dict[str, Any]:
    """Every credential that works, by name: its value and the headers to send."""
    credentials: dict[str, Any] = {}
    for own in service_of(state).credentials:
        credentials |= own.every(state, world_id)
    return credentials


def credential_interface(state: State, name: str | None) -> str | None:
    """The interface that a credential calls, by its name."""
    if name is None:
        return None
    told = (own.interface(name) for own in service_of(state).credentials)
    return next((interface for interface in told if interface), name.partition(".")[0])


def credential_name_in_headers(state: State, world_id: str, headers: Mapping[str, str]) -> str | None:
    """The name of the credential in the headers of a call, or None."""
    named = (own.in_headers(state, world_id, headers) for own in service_of(state).credentials)
    return next((name for name in named if name), None)


def find_credential(state: State, world_id: str, given: str) -> str:
    """The name of the credential with a name or a value. KeyNotFound suggests the nearest name."""
    names = list_credentials(state, world_id)
    if given in names:
        return given
    found = [own.named for own in service_of(state).credentials if own.named is not None]
    for named in found[:-1]:
        try:
            return named(state, world_id, given)
        except KeyNotFound:
            continue
    if found:
        return found[-1](state, world_id, given)
    suggestion = suggest_name(given, list(names), f"there are {', '.join(sorted(names)[:20])}")
    raise KeyNotFound(f"world {world_id} has no credential {given[:80]!r}; {suggestion}")
