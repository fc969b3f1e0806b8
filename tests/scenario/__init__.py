"""Tests of giftsim.workbench.scenario."""
