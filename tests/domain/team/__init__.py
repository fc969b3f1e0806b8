"""Tests of teams: billing, orders, people and the fixture's sections."""
