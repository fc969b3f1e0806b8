"""The contracts, and whether answers fit them."""
