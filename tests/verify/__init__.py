"""Tests of giftsim.verify."""
