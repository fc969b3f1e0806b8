"""The catalogue of teams: collections and single items, the same for all teams in both modes."""
