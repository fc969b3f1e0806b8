"""Random inputs: driven by the contracts, and byte by byte. `python -m tools fuzz` runs them for long."""
