"""Tests that drive another program for long: a browser, Node, containers, a test run; `make ecosystem` runs them."""
