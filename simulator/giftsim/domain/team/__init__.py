"""Teams: who is in them, who calls for them, and what is theirs; nothing of one team exists for another."""
