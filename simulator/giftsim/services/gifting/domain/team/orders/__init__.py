"""Team orders, store orders and gifts: held until a human approves them, then fulfilled like partner orders."""
