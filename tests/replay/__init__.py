"""Tests of giftsim.engine.replay."""
