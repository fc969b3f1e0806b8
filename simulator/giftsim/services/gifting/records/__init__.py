"""What the control API shows of gifts and does to them."""
