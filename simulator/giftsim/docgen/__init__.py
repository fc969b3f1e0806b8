"""Generators of the tables and indexes in the documentation."""
