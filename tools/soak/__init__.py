"""The soak: a server under load that is killed again and again. `make soak` runs it and counts what was lost."""
