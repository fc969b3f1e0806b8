"""Programs for those who work on giftsim: `python -m tools.soak` and its like, each with a target in the Makefile."""
