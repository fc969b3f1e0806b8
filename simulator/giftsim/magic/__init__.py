"""Magic values: reserved names, emails, postcodes and file addresses that make documented things happen by themselves.

Each stands for something of the vocabulary that there is anyway: a fault's effect, an actor, a step of a parcel.
"""
