"""Teams: their members, keys and records, which no other team can see."""
