"""What a team's things look like: artwork, previews, proofs, templates, and what recipients see of the team."""
