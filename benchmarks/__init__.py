"""Benchmarks: `make bench` prints each figure, with a baseline measured in the same run since machines vary."""
