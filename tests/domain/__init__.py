"""Tests of giftsim.domain."""
