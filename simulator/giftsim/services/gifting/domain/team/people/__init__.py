"""People: a team's roster, its upcoming dates, and the contacts of the team's CRMs."""
