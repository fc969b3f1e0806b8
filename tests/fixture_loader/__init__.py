"""Tests of reading fixtures."""
