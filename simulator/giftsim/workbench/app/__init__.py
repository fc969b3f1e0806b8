"""An app that uses the service: how giftsim calls it, starts it, and what the two say to each other."""
