"""Tests of the exam: right apps pass, mistaken apps fail by the rule that names the mistake, cheats gain nothing."""
