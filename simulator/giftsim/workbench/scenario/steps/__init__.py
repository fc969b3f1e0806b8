"""The kinds of steps: how a step is parsed from the file, and what it does when it runs.

`kinds.py` lists them. `include` and `for_each` do not run: `expansion.py` replaces them by other steps before.
"""
