"""Property-based tests of whole worlds."""
