"""The handlers of the operations, a module for each part of the contract; `interface.py` merges their tables."""
