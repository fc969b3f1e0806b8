"""Actors: simulated recipients and approvers who act by themselves, on the world's clock."""
