"""Nothing happened, and the test fails on its own.

first: unknown
says: no cause is known; the world was made
"""


def test_it(giftsim):
    assert len(giftsim.mail()) == 1
