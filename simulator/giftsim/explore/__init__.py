"""Explore: what a downstream app gets wrong, looked for by seed and told as the shortest scenario that shows it.

    seed -> draw (a plan) -> story (a scenario) -> stage (played) -> verdict -> hunt -> shrink -> written

A plan is played as the scenario that would be written of it, so what was found is what the file says. Hypothesis draws
the plans and shortens them; nothing is drawn from the time or the machine.
"""
