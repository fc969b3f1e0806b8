"""Tests of the package `compare`."""
