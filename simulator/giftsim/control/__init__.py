"""The simulator's own interface: worlds, clocks, faults, what was sent, and the outside world played by a tester."""
