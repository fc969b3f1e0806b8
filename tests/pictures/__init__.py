"""Pictures of every page of the console and of the claim page, and those that the documentation shows."""
