"""Recorded traffic of a service, replayed into a fresh world and judged exchange by exchange (G479)."""
