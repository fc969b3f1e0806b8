"""The journey of a gift: what happened to it in words, and what will, worked out on a copy of its world."""
