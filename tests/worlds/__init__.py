"""Tests of giftsim.engine.worlds."""
