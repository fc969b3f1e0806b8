"""What changed in a world, and why: read from the undo entries that the event log keeps, and from two states."""
