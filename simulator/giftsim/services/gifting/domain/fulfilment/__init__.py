"""Fulfilments with their recipients, shipments, claims and payment, shared by partner orders, team orders and gifts."""
