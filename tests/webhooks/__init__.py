"""Tests of giftsim.engine.webhooks."""
