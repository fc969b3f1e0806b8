"""Documentation that is generated from the code: the tables of the reference, and the index of the scenarios."""
