"""The partner interface and the claim page, as a partner and a recipient use them."""
