"""What giftsim publishes about itself: the index of its addresses, and each contract with examples (G101)."""
