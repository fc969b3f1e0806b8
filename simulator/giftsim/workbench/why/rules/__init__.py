"""The rules by which verdicts are found, in families: webhooks, the life of a gift, money, names, faults and time."""
