# kind: unknown
# says: No rule
# not: because
"""A world in which nothing has happened."""

def test_nothing(giftsim):
    basket = []
    assert basket, "the basket is empty"
