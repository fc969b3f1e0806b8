"""What each operation does, in a module per part of the contract; `interface.py` merges their tables."""
