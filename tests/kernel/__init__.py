"""Tests of giftsim.kernel."""
