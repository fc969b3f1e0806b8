"""Records as the team interface shows them: never an email, a claim link or a claim token."""
