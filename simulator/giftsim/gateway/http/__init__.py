"""The HTTP server: it listens, parses requests, has threads answer them, and bounds what clients can take."""
