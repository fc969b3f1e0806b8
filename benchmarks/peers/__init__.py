"""giftsim beside other simulators and mock servers, on a quiet machine and a busy one: `make bench-peers`."""
