"""The moves that a record can make now: what would make each, and why some are not possible."""
