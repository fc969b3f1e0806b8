"""Mutants: the product broken in named ways, each of which some test has to notice. `make mutants` runs them."""
