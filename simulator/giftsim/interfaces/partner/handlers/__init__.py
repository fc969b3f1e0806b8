"""The handlers of the partner interface, by tag; each is a call's way to a verb and back to a view."""
