"""Tests of the readiness pack: the situations that every app must survive."""
