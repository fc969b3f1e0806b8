"""Worlds of the domain layer alone, without HTTP."""
