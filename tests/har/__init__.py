"""HAR files, read and written."""
