"""The fingerprint of a state: a hash of all its content, the same in any process (G6)."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from giftsim.kernel.state import State

_pack = msgspec.msgpack.Encoder(order="deterministic")


def fingerprint(state: State) -> str:
    """SHA-256 over clock, counters, settings, tables in slot order and timers in firing order, as hex."""
    digest = sha256()
    meters = {name: value for name, value in state.meters.items() if value}
    digest.update(_pack.encode([state.now_ms, state.seed, state.counters, meters, state.setting_values]))
    for name in sorted(name for name, table in state.tables.items() if table.spec.hashed):
        digest.update(_pack.encode([name, [row for row in state.tables[name].rows if row is not None]]))
    digest.update(_pack.encode(list(state.timers.rows())))
    return digest.hexdigest()
