"""Comparison with a service: the calls of scenarios are made to it and to a fresh world side by side.

    scenarios -> plan -> play_step -> counterpart (the service, or a snapshot of it) and a world
                                          -> mask -> answer_diff -> report

Masks replace what must differ (ids, tokens, instants, texts), so that what is left can be compared, kept and shown.
"""
