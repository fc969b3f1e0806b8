"""What a team sends: orders, gifts and store orders, held until a human approves, then fulfilled like a partner's."""
