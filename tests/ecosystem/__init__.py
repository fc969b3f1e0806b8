"""Tests with the tools of other ecosystems: Node, containers, proxies, public linters; `make ecosystem` runs them."""
