"""The museum: opening hours, special events and tickets, with their own rules, unrelated to gifts."""
