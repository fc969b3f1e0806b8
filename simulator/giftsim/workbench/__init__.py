"""What people do with a simulator."""
