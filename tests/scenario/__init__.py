"""Tests of simulator.scenario."""
