"""Worlds at run time: the registry of worlds, their locks and clocks, held calls and deliveries, and advances.

Imports point one way: runtime, world, sending, settled, advance, held calls, snapshots, registry, checkpoint, ticker.
"""
