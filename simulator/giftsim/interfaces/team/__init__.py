"""The team interface: gifts, team orders, roster, rules and billing of one team, as its contract states them."""
