"""Shops with one mistake each."""
