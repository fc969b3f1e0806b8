"""Tests of giftsim.engine.kernel."""
