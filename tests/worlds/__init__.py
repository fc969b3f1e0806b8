"""Tests of giftsim.worlds."""
