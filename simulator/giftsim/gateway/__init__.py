"""From a contract and HTTP bytes to a call, its stages and its reply; it knows no noun of the domain."""
