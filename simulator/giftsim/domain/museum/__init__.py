"""The museum: opening hours, special events and tickets, with rules of its own and unrelated to gifts."""
