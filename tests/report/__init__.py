"""Tests of the report on an integration."""
