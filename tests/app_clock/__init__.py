"""Tests of giftsim.workbench.app_clock."""
