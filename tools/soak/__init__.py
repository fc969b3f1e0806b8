"""The soak: a server under load, killed again and again. `python -m tools soak` counts what was lost."""
