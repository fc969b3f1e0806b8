"""Benchmarks: `python -m tools bench` prints each figure, with a baseline of the same run."""
