"""The console: pages for people, as a client of the control API and nothing more."""
