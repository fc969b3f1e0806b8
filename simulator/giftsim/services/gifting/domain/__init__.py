"""The domain: accounts, orders, gifts, shipments, payments and the museum, without HTTP and without I/O."""
