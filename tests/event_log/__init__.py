"""Tests of giftsim.event_log."""
