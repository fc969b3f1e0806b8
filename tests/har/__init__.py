"""Tests of the package `har`."""
