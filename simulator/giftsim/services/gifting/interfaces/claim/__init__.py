"""The claim page, where recipients enter an address: HTML for browsers, JSON for programs (B17, B52)."""
