"""The interfaces, as their users see them."""
