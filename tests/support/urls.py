"""URLs that no webhook may have, with the rule that each breaks (B48)."""

from __future__ import annotations

# The URL, words of the rule, and whether the way to deliver to localhost is told with it.
BROKEN_URLS = (
    ("http://hooks.example.com/", "it must begin with https://", True),
    ("https://hooks.example.com:8443/", "its port must be 443", True),
    ("https://hooks.example.com/#part", "it must not have a fragment", False),
    ("https://ada:horse@hooks.example.com/", "it must not contain a user name or password", False),
    ("https://127.0.0.1/", "not an IP address", True),
    ("https://[::1]/", "not an IP address", True),
    ("https://localhost/", "its host must be public", True),
    ("https://vault.internal/", "its host must be public", True),
    ("https://hooks/", "at least two labels", True),
    ("https://hooks.example.com./", "must not end in a dot", False),
    ("https://b\u00fccher.example/", "plain ASCII", False),
    ("https://hooks.example.com/a b", "blanks", False),
)
