"""Random inputs: driven by the contracts, and byte by byte. `make fuzz` runs them for long."""
