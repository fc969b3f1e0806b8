"""The kinds of steps, one file each: how the step is parsed from the file, and what it does when it runs.

`kinds.py` lists them. `include` and `for_each` do not run: they are expanded to other steps before.
"""
