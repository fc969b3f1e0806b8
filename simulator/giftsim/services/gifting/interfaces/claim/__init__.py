"""The claim page, where recipients enter an address: HTML for browsers, JSON for programs (B17, B52)."""

CLAIM = "claim"  # the page in fault rules, in the feed of changes, and among the addresses of a world
