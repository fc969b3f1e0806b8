"""The trace: everything that happened to a world, in one file that opens anywhere and can be played again."""
