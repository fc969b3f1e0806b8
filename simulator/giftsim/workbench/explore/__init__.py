"""Explore: find what a downstream app gets wrong, and write each failure as the shortest scenario that shows it.

    seed -> generator (plan) -> scenario_writer (scenario) -> runner (result) -> explorer -> shrink -> scenario_file

A plan runs as the very scenario that would be written for it, so a file shows what was found. Hypothesis generates and
shrinks the plans; nothing random comes from the time or the machine.
"""
