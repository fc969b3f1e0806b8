"""What an app's tests assume: other readings of what the documents leave open, and the search for tests on one."""
