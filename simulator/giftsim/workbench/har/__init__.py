"""HTTP exchanges as HAR 1.2: read from any tool, and written for any other."""
