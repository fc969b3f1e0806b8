"""Tests of giftsim.magic."""
