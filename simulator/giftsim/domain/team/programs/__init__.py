"""Programs: large campaigns in batches, and rules by which gifts come due by themselves."""
