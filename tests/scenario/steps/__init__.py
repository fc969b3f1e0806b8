"""Tests of the kinds of steps."""
