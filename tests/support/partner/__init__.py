"""Builders for tests of the partner interface."""
