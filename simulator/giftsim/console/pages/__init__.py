"""The pages of the console, one blueprint each: the application takes BLUEPRINT and PLACES of every module here."""
