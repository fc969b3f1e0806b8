"""Tests of giftsim.replay."""
