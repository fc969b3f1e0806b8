"""Actors: people of the outside world who act by themselves, on the world's clock."""
