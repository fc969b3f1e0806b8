"""Tests of the tools for a tester's coding assistant."""
