"""The courier: sends webhook requests to real receivers, one by one or in batches."""
