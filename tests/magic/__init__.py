"""Tests of simulator.magic."""
