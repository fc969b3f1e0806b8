"""A simulator for the simulator: the whole process on one thread, under a scheduler that a seed decides.

Threads, network, disk and time are simulated, and break in every way that real ones do. `python -m tools simulate` runs
it for hours; docs/internals/simulation.md tells what it does, and what it cannot see.
"""
