"""Tests of the published contracts and of the check of responses against them."""
