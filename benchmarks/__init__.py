"""Measurements beside their floors and peers, in one run, since machines drift; `make bench` prints them."""
