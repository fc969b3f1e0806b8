"""giftsim beside other simulators and mock servers, on a quiet and a busy machine: `python -m tools bench-peers`."""
