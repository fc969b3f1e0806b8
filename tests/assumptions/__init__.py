"""Tests of the assumptions package."""
