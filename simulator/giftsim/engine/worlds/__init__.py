"""Worlds at run time: the registry of worlds, their locks, clocks, calls and deliveries, and advances.

Imports point one way: runtime, locked_state, clock, calls, deliveries, world, advance, registry, checkpoint, ticker.
"""
