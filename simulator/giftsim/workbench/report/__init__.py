"""The report that a partner hands over: one page and its data, made of what tests, coverage and checks have left.

inputs (junit, coverage, receiver, readiness) -> report -> page, files -> signature
"""
