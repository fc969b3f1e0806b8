"""Tests of simulator.domain."""
