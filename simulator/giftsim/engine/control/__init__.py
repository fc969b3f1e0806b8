"""The control API under `/_sim/v1`: worlds, clocks, faults, records, and the outside world."""
