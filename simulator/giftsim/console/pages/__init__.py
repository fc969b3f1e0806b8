"""The pages of the console, one blueprint each."""
