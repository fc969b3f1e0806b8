"""What each operation does, by parts of the contract: `HANDLERS`, and `FINDERS` and `RULES` where a part has them."""
