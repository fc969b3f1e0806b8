"""The museum interface: opening hours, special events and tickets with a QR code, under `/v1.1`."""
