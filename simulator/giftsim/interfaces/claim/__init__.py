"""The claim page, where recipients enter an address: for people in a browser, for programs in JSON (B17, B52)."""
