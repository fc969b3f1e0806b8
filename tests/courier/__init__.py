"""Unit tests of the courier, against receivers on raw sockets."""
