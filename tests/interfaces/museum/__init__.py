"""The museum, as its users see it."""
