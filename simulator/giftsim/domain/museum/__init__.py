"""The museum: opening hours, special events and tickets; small, with rules of its own and nothing to do with gifts."""
