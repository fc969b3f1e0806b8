"""The services that giftsim simulates."""
