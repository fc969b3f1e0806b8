"""Scenario files whose results have all that a JUnit file can show."""

from __future__ import annotations

NASTY = 'scenario: "Bell \\a & <tag> \\"quoted\\" \N{WRAPPED PRESENT}"\nsteps:\n  - advance: 1d\n'
FILES = {
    "a__yaml": "scenario: A day goes by\nsteps:\n  - advance: 1d\n",
    "b__yaml": "scenario: Nothing happens\nsteps:\n  - advance: 1d\n    expect: {events: [team_order.shipped]}\n",
    "c__yaml": NASTY + "    expect: {events: [team_order.shipped]}\n",
    "d__yml": "scenario: A typing error\nsteps:\n  - advanse: 1d\n",
}
