"""The handlers of the partner interface, by tag: from a call to the domain, and back to a view."""
