"""People: a team's roster, the dates that are coming on it, and the contacts of the CRMs it has connected."""
