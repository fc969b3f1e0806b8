"""Tests of giftsim.engine.log."""
