"""Situations that users of the gifting service fear, each by one word."""
