"""What any simulated service needs."""
