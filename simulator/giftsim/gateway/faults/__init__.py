"""Faults: what may be made to go wrong with a call or a delivery, by a table of the world or by a header (G16)."""
