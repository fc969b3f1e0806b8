"""Models of the interfaces: what the documents say, restated independently of the product and compared with it.

A model is a plain account of one interface. It imports nothing of giftsim but what a user has. A machine makes random
calls, and after each one compares the world with the model.
"""
