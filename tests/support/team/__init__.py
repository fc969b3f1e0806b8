"""Builders for tests of the team interface."""
