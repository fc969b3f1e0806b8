"""Tests of simulator.webhooks."""
