"""The team interface, as its users see it."""
