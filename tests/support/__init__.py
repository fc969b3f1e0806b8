"""Builders that the tests share: worlds, clients, request bodies, receivers, and a simulator in another process."""
