"""Tests of giftsim.services.gifting.magic."""
