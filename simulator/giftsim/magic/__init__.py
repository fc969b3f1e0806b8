"""Magic values: reserved names, emails, postcodes, amounts, hosts and URLs in ordinary requests.

Each one makes something happen that can also be had otherwise: the effect of a fault, an actor, a step of a shipment.
"""
