"""Tests of what the console and the pages that open offline share."""
