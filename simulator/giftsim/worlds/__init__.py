"""Worlds alive: their locks, their clocks, how time is driven, and the list of them."""
