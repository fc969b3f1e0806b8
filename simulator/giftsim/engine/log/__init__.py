"""What a world follows from: its configuration, its events in order, and the journal file that keeps them."""
