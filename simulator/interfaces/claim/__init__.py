"""The claim page, by which recipients enter an address: for people in a browser, and for programs in JSON (B17, B52)."""
