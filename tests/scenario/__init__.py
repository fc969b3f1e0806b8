"""Tests of giftsim.scenario."""
