"""The team interface: gifts, team orders, people, rules and billing of one team, as its contract describes them."""
