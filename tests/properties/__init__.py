"""Properties that hold of whole worlds, whatever happens in whatever order."""
