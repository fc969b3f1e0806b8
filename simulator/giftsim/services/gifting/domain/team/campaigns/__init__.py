"""Large campaigns: up to 5,000 recipients, prepared and paid in batches."""
