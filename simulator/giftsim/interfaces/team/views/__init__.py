"""The JSON of records on the team interface. It never contains an email, a claim link or a claim token."""
