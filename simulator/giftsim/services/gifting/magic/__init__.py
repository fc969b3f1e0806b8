"""Magic values: reserved names, emails, postcodes, amounts, hosts and URLs in ordinary requests.

Each has an effect that other means have too: a fault, an actor, a step of a shipment.
"""
