"""The console and the other pages in Chromium."""
