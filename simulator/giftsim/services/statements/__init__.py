"""What the service's documents state, what was decided where they are silent, and the tests that show it."""
