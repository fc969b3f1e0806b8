"""All commands, in the groups of `giftsim --help`: where each is, and the line that the help says of it.

A command is imported when it is used, so the help costs no more than this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """A command: its module in `giftsim.cli`, its name there, and its line in the help, at most 60 characters."""

    module: str
    name: str
    line: str = ""


class Former(NamedTuple):
    """A former name of a command, which works in this release: where its command is, and what to type now."""

    entry: Entry
    now: str


GROUPS: Mapping[str, Mapping[str, Entry]] = {
    "Run a simulator": {
        "serve": Entry("serve_command", "serve", "Start the simulator (the default command)."),
        "wait": Entry("remote.health", "wait", "Wait until a simulator answers, or ask whether one does."),
    },
    "Act on a world of a running simulator": {
        "now": Entry("remote.world_commands", "now", "Show the time, and what is due next."),
        "advance": Entry("remote.world_commands", "advance", "Move the clock."),
        "act": Entry("remote.act.command", "act", "Act as the world outside: claim, approve, ship, fund, ..."),
        "faults": Entry("remote.fault_commands", "faults", "List, inject and end faults."),
        "undo": Entry("remote.world_commands", "undo", "Undo the last things that were done."),
        "redo": Entry("remote.world_commands", "redo", "Bring back what the last undo took away."),
        "orders": Entry("remote.record_commands", "orders", "List the orders, or show one."),
        "mail": Entry("remote.record_commands", "mail", "List the mail that the service would have sent."),
        "deliveries": Entry("remote.record_commands", "deliveries", "List the attempts to deliver webhooks."),
        "why": Entry("remote.why_command", "why", "Say why something did not happen."),
        "worlds": Entry("remote.world_commands", "worlds", "List, create, fork, reset and delete worlds."),
    },
    "Test your app": {
        "run": Entry("run.command", "run", "Run a program whose calls to the service come here."),
        "exam": Entry("exam", "exam", "Examine your app: a verdict for each rule, from a seed."),
        "play": Entry("main", "play", "Play scenario files."),
        "check": Entry("check", "check", "Find the mistakes in scenario, fixture and journal files."),
        "coverage": Entry("coverage", "coverage", "Report what your app has met of the service, and what not."),
        "explore": Entry("explore", "explore", "Search for the sequence that breaks your app."),
    },
    "Keep what happened": {
        "trace": Entry("trace", "trace", "Write everything that happened to a world as a page."),
        "record": Entry("record", "record", "Record what was done to a world as a scenario or a test."),
    },
}
# The help has only their names.
MORE: Mapping[str, Entry] = {
    "open": Entry("remote.world_commands", "open_browser"),
    "calls": Entry("remote.calls_command", "calls"),
    "mcp": Entry("mcp", "mcp"),
    "compare": Entry("compare", "compare"),
    "statements": Entry("statements", "statements"),
    "schema": Entry("schema", "schema"),
    "version": Entry("version", "version"),
    "completion": Entry("completion", "completion"),
}
FORMER: Mapping[str, Former] = {
    "trust": Former(Entry("trust", "trust"), "serve trust"),
    "health": Former(Entry("remote.health", "health"), "wait --timeout 0"),
    "haproxy": Former(Entry("haproxy", "haproxy"), "serve haproxy"),
    "order": Former(Entry("remote.record_commands", "order"), "orders ID"),
    "claim": Former(Entry("remote.record_commands", "claim"), "act claim team_order_id=ID recipient=N"),
    "fault": Former(Entry("remote.fault_commands", "add"), "faults add"),
    "assumptions": Former(Entry("assumptions", "assumptions"), "run --assumptions -- COMMAND"),
    "replay": Former(Entry("main", "replay"), "play --exact"),
    "journal": Former(Entry("journal", "journal"), "check FILE"),
    "report": Former(Entry("former_exams", "report"), "exam"),
    "check-receiver": Former(Entry("former_exams", "check_receiver"), "exam --receiver URL"),
    "claims": Former(Entry("statements", "statements"), "statements"),
}
LISTED: Mapping[str, Entry] = {**{name: entry for group in GROUPS.values() for name, entry in group.items()}, **MORE}
ALL: Mapping[str, Entry] = {**LISTED, **{name: former.entry for name, former in FORMER.items()}}
# What people type for a command with another name.
MEANT: Mapping[str, str] = {
    "events": "deliveries",
    "webhooks": "deliveries",
    "attempts": "deliveries",
    "inbox": "mail",
    "emails": "mail",
    "log": "trace",
    "explain": "why",
    "time": "now",
    "clock": "now",
    "status": "now",
    "timers": "now",
    "start": "serve",
    "console": "open",
    "reset": "worlds reset",
    "fork": "worlds fork",
    "create": "worlds create",
    "delete": "worlds delete",
    "world": "worlds",
    "test": "play",
    "scenario": "play",
    "export": "record",
    "simulate": "act",
    "approve": "act approve",
    "reject": "act reject",
    "ship": "act ship",
    "fund": "act fund",
    "receiver": "act receiver",
    "receivers": "act receiver",
    "settings": "act settings",
    "key": "act key",
    "actor": "act actor",
    "certificate": "serve trust",
    "readiness": "exam --only readiness",
}
# What the help of a command ends with. Each fits a line of 80 columns, and names options that there are.
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "serve": ("giftsim serve --port 8081 --clock manual", "giftsim serve --journal world.journal"),
    "serve trust": ("giftsim serve trust", 'eval "$(giftsim serve trust --export)"'),
    "serve haproxy": ("giftsim serve haproxy --processes 3 > haproxy.cfg",),
    "open": ("giftsim open", "giftsim open --url http://127.0.0.1:8081"),
    "wait": ("giftsim wait --url http://127.0.0.1:8081 --timeout 60", "giftsim wait --timeout 0 && echo up"),
    "mcp": ("giftsim mcp", "giftsim mcp --url http://127.0.0.1:8080 --http 8090"),
    "now": ("giftsim now", "giftsim now -w checkout-test --json"),
    "advance": ("giftsim advance 3d", "giftsim advance next --dry-run", "giftsim advance 2027-02-01T09:00:00Z"),
    "act": (
        "giftsim act",
        "giftsim act claim team_order_id=1010 recipient=0",
        "giftsim act ship team_order_id=1010 to=delivered",
        "giftsim act fund add_cents=50000",
        "giftsim act settings partner.lead_times.production=1h",
    ),
    "orders": ("giftsim orders --limit 5", "giftsim orders 1010"),
    "mail": ("giftsim mail --limit 5",),
    "deliveries": ("giftsim deliveries --limit 5",),
    "why": ("giftsim why order 1010 --expected team_order.shipped", "giftsim why call 7"),
    "faults": ("giftsim faults", "giftsim faults add status=503 --first 1", "giftsim faults end"),
    "faults add": (
        "giftsim faults add status=503 --operation createTeamOrder --first 2",
        "giftsim faults add charge=card_charge_failed --credential partner.prepaid",
        "giftsim faults add drop=after --first 1",
        "giftsim faults add webhook=duplicate --event team_order.shipped",
    ),
    "faults end": ("giftsim faults end", "giftsim faults end fault-1"),
    "undo": ("giftsim undo", "giftsim undo 3"),
    "redo": ("giftsim redo",),
    "worlds": ("giftsim worlds", "giftsim worlds create checkout-test --fixture empty"),
    "worlds create": ("giftsim worlds create checkout-test --fixture empty --seed 7",),
    "worlds fork": ("giftsim worlds fork what-if -w default",),
    "worlds reset": ("giftsim worlds reset default",),
    "worlds delete": ("giftsim worlds delete checkout-test",),
    "run": (
        "giftsim run --route https://gifts.vendor.example=partner.prepaid -- npm test",
        "giftsim run --record run.yaml -- sh client.sh",
        "giftsim run --har run.har -- npm test",
        "giftsim run --assumptions --junit junit.xml -- npm test",
    ),
    "play": (
        "giftsim play late_claim.yaml",
        "giftsim play scenarios/ --jobs auto --junit report.xml",
        "giftsim play --exact bug.yaml",
    ),
    "exam": (
        "giftsim exam --app http://127.0.0.1:9100 --out exam",
        "giftsim exam --app http://127.0.0.1:9100 --only pays_once --seed 7",
        "giftsim exam --receiver http://127.0.0.1:9000/gifts --secret whsec_...",
        "giftsim exam --tests junit.xml --coverage .giftsim/coverage.json",
        "giftsim exam --verify .giftsim/exam --signers allowed_signers",
    ),
    "check": ("giftsim check late_claim.yaml", "giftsim check scenarios/ --watch", "giftsim check world.journal"),
    "coverage": (
        "giftsim coverage -w default --missing",
        "giftsim coverage .giftsim/coverage.json --fail-under 80",
    ),
    "explore": (
        "giftsim explore --app http://127.0.0.1:9100 --seeds 200",
        "giftsim explore --app http://127.0.0.1:9100 --budget 60s",
    ),
    "compare": ("giftsim compare --target https://sandbox.vendor.example --list",),
    "calls": ("giftsim calls --limit 5", "giftsim calls --har > calls.har"),
    "trace": ("giftsim trace --out world.html", "giftsim trace world.html --json"),
    "record": (
        "giftsim record --url http://127.0.0.1:8080 --out bug.yaml",
        "giftsim record --as pytest --from bug.yaml --out test_bug.py",
        "giftsim record --from app.har --out app.yaml",
    ),
    "statements": ("giftsim statements P-6", "giftsim statements --guesses --about team"),
    "schema": ("giftsim schema scenario > scenario.schema.json",),
    "version": ("giftsim version --json",),
    "completion": ("giftsim completion fish",),
}
