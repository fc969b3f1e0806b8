"""Tests of giftsim.webhooks."""
