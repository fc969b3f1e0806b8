"""The pages name each variable that a program of `giftsim run` finds in its environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

from giftsim.workbench.app_clock.libfaketime import SETTINGS
from tests.docs.pages import DOCS, ROOT

PAGES = ("reference/command-line.md", "reference/credentials.md", "how-to/test-in-any-language.md")
NAME = re.compile(r"`([A-Z][A-Z_]+)(…)?`")
PROGRAM = "import json, os; print(json.dumps(dict(os.environ)))"
OPTIONS = ("--route", "https://gifts.vendor.example=partner.prepaid", "--webhooks", "http://127.0.0.1:9/hooks")


def test_each_variable_of_a_program_of_run_is_on_a_page() -> None:
    run = [sys.executable, str(ROOT / "run_sim.py"), "run", "--quiet", "--fixture", "empty", "--app-clock", *OPTIONS]
    before = dict(os.environ)
    said = subprocess.check_output([*run, "--", sys.executable, "-c", PROGRAM], env=before, text=True, timeout=120)
    found = {name for name, value in json.loads(said).items() if before.get(name) != value}
    assert {"GIFTSIM_TEAM_LIVE_APPROVER", "GIFTSIM_WEBHOOK_SECRET", "HTTPS_PROXY", "NODE_OPTIONS"} <= found
    named = {match for page in PAGES for match in NAME.findall((DOCS / page).read_text(encoding="utf-8"))}
    whole = {name for name, more in named if not more}
    begins = tuple(name for name, more in named if more)
    ours = {name for name in found - SETTINGS.keys() if not name.startswith(begins)}
    assert sorted(name for name in ours if name.upper() not in whole) == []
