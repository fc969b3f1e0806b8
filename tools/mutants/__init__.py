"""Mutants: the product broken in named ways, which some test has to notice. `python -m tools mutants` runs them."""
