"""API keys of the interfaces."""
