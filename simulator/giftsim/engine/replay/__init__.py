"""The event log applied again: recovery from a journal file, and undo."""
