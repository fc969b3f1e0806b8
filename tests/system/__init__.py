"""The simulator as its users start it."""
