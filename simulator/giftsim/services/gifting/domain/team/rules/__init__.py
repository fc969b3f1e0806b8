"""Rules: gifts that are made by themselves, on dates of the roster or on events of a CRM's deals."""
