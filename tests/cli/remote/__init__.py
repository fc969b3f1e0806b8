"""Tests of the commands that act on a running simulator."""
