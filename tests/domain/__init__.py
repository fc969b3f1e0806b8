"""Tests of giftsim.services.gifting.domain."""
