"""Faults: failures injected into calls and deliveries, from a world's table of faults or from a header (G16)."""
