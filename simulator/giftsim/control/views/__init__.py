"""JSON views of the control API: a record in, a dict out."""
