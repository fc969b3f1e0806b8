"""The Flask application of everything outside the contracts: request ids, headers and errors of its pages.

The pages themselves are blueprints of other packages, which build.py registers.
"""
