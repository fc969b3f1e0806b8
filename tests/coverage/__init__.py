"""What an app has met of the service."""
