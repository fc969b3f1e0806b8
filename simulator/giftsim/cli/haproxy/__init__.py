"""The command `haproxy`, for several processes behind one address."""
