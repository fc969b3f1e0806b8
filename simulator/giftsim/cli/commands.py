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
    line: str


GROUPS: Mapping[str, Mapping[str, Entry]] = {
    "Run a simulator": {
        "serve": Entry("serve_command", "serve", "Start the simulator (the default command)."),
        "trust": Entry("trust", "trust", "Show how clients accept the certificate of serve --https."),
        "open": Entry(
            "remote.world_commands", "open_browser", "Open the console of a running simulator in the browser."
        ),
        "wait": Entry("remote.health", "wait", "Wait until a simulator answers."),
        "health": Entry("remote.health", "health", "Say whether a simulator answers."),
        "mcp": Entry("mcp", "mcp", "Serve tools for your coding assistant (MCP)."),
        "haproxy": Entry("haproxy", "haproxy", "Print the HAProxy configuration for several processes."),
    },
    "Act on a world of a running simulator": {
        "now": Entry("remote.world_commands", "now", "Show the time, and what is due next."),
        "advance": Entry("remote.world_commands", "advance", "Move the clock."),
        "orders": Entry("remote.record_commands", "orders", "List the orders."),
        "order": Entry("remote.record_commands", "order", "Show an order, its recipients and its events."),
        "claim": Entry("remote.record_commands", "claim", "Claim a gift as its recipient would."),
        "mail": Entry("remote.record_commands", "mail", "List the mail that the service would have sent."),
        "deliveries": Entry("remote.record_commands", "deliveries", "List the attempts to deliver webhooks."),
        "why": Entry("remote.why_command", "why", "Say why something did not happen."),
        "fault": Entry("remote.fault_commands", "fault", "Inject a fault."),
        "faults": Entry("remote.fault_commands", "faults", "List the faults, or end them."),
        "undo": Entry("remote.world_commands", "undo", "Undo the last things that were done."),
        "worlds": Entry("remote.world_commands", "worlds", "List, create, fork, reset and delete worlds."),
    },
    "Test your app": {
        "run": Entry("run.command", "run", "Run a program whose calls to the service come here."),
        "exam": Entry("exam", "exam", "Examine your app: a verdict for each rule, from a seed."),
        "play": Entry("main", "play", "Play scenario files."),
        "check": Entry("check", "check", "Find the mistakes in scenario and fixture files."),
        "coverage": Entry("coverage", "coverage", "Report what your app has met of the service, and what not."),
        "assumptions": Entry(
            "assumptions", "assumptions", "Find the tests that lean on what the documents leave open."
        ),
        "explore": Entry("explore", "explore", "Search for the sequence that breaks your app."),
        "compare": Entry("compare", "compare", "Compare a service with giftsim."),
    },
    "Keep what happened": {
        "trace": Entry("trace", "trace", "Write everything that happened to a world as a page."),
        "record": Entry("main", "record", "Record what was done to a world as a scenario."),
        "replay": Entry("main", "replay", "Play recordings again, and compare every byte."),
        "journal": Entry("journal", "journal", "Look at journal files of `serve --journal`."),
    },
    "About giftsim": {
        "statements": Entry("statements", "statements", "List what is documented, decided or guessed."),
        "schema": Entry("schema", "schema", "Print the JSON Schema of scenarios or fixtures, for editors."),
        "version": Entry("version", "version", "Print the versions of giftsim and of what it uses."),
        "completion": Entry("completion", "completion", "Print the completion for a shell."),
    },
}
# They work, but the help does not list them: former names.
UNLISTED: Mapping[str, Entry] = {
    "report": Entry("former_exams", "report", "The former name of `exam --tests` and `exam --verify`."),
    "check-receiver": Entry("former_exams", "check_receiver", "The former name of `exam --receiver`."),
    "claims": Entry("statements", "statements", "The former name of `statements`."),
}
LISTED: Mapping[str, Entry] = {name: entry for group in GROUPS.values() for name, entry in group.items()}
ALL: Mapping[str, Entry] = {**LISTED, **UNLISTED}
# What people type for a command with another name.
MEANT: Mapping[str, str] = {
    "events": "deliveries",
    "webhooks": "deliveries",
    "attempts": "deliveries",
    "inbox": "mail",
    "emails": "mail",
    "calls": "trace",
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
    "readiness": "exam --only readiness",
}
# What the help of a command ends with. Each fits a line of 80 columns, and names options that there are.
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "serve": ("giftsim serve --port 8081 --clock manual", "giftsim serve --journal world.journal"),
    "trust": ("giftsim trust", 'eval "$(giftsim trust --export)"'),
    "open": ("giftsim open", "giftsim open --url http://127.0.0.1:8081"),
    "wait": ("giftsim wait --url http://127.0.0.1:8081 --timeout 60",),
    "health": ("giftsim health && echo up",),
    "mcp": ("giftsim mcp", "giftsim mcp --url http://127.0.0.1:8080 --http 8090"),
    "haproxy": ("giftsim haproxy --processes 3 > haproxy.cfg",),
    "now": ("giftsim now", "giftsim now -w checkout-test --json"),
    "advance": ("giftsim advance 3d", "giftsim advance next --dry-run", "giftsim advance 2027-02-01T09:00:00Z"),
    "orders": ("giftsim orders --limit 5",),
    "order": ("giftsim order 1010",),
    "claim": ("giftsim claim 1010 --recipient 0",),
    "mail": ("giftsim mail --limit 5",),
    "deliveries": ("giftsim deliveries --limit 5",),
    "why": ("giftsim why order 1010 --expected team_order.shipped", "giftsim why call 7"),
    "fault": (
        "giftsim fault status=503 --operation createTeamOrder --first 2",
        "giftsim fault charge=card_charge_failed --credential partner.prepaid",
        "giftsim fault drop=after --first 1",
        "giftsim fault webhook=duplicate --event team_order.shipped",
    ),
    "faults": ("giftsim faults", "giftsim faults end"),
    "faults end": ("giftsim faults end", "giftsim faults end fault-1"),
    "undo": ("giftsim undo", "giftsim undo 3"),
    "worlds": ("giftsim worlds", "giftsim worlds create checkout-test --fixture empty"),
    "worlds create": ("giftsim worlds create checkout-test --fixture empty --seed 7",),
    "worlds fork": ("giftsim worlds fork what-if -w default",),
    "worlds reset": ("giftsim worlds reset default",),
    "worlds delete": ("giftsim worlds delete checkout-test",),
    "run": ("giftsim run --route https://gifts.vendor.example=partner.prepaid -- npm test",),
    "play": (
        "giftsim play late_claim.yaml",
        "giftsim play scenarios/ --jobs auto --junit report.xml",
    ),
    "exam": (
        "giftsim exam --app http://127.0.0.1:9100 --out exam",
        "giftsim exam --app http://127.0.0.1:9100 --only pays_once --seed 7",
        "giftsim exam --receiver http://127.0.0.1:9000/gifts --secret whsec_...",
        "giftsim exam --tests junit.xml --coverage .giftsim/coverage.json",
        "giftsim exam --verify .giftsim/exam --signers allowed_signers",
    ),
    "check": ("giftsim check late_claim.yaml", "giftsim check scenarios/ --watch"),
    "coverage": (
        "giftsim coverage -w default --missing",
        "giftsim coverage .giftsim/coverage.json --fail-under 80",
    ),
    "assumptions": ("giftsim assumptions --junit junit.xml -- npm test",),
    "explore": (
        "giftsim explore --app http://127.0.0.1:9100 --seeds 200",
        "giftsim explore --app http://127.0.0.1:9100 --budget 60s",
    ),
    "compare": ("giftsim compare --target https://sandbox.vendor.example --list",),
    "trace": ("giftsim trace --out world.html", "giftsim trace world.html --json"),
    "record": (
        "giftsim record --url http://127.0.0.1:8080 --out bug.yaml",
        "giftsim record --out run.yaml -- sh client.sh",
        "giftsim record --as pytest --from bug.yaml --out test_bug.py",
    ),
    "replay": ("giftsim replay bug.yaml",),
    "journal": ("giftsim journal check world.journal",),
    "journal check": ("giftsim journal check world.journal",),
    "statements": ("giftsim statements P-6", "giftsim statements --guesses --about team"),
    "schema": ("giftsim schema scenario > scenario.schema.json",),
    "version": ("giftsim version --json",),
    "completion": ("giftsim completion fish",),
}
