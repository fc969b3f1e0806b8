"""The simulated services. Each is one object in its `service.py`; they do not know one another."""
