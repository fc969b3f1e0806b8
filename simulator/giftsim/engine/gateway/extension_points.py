"""What each extension point of the engine is, for people who write a service, and for the page about one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# What a service may tell the engine, by the members of Service (docs/internals/a-service.md).
EXTENSION_POINTS: Final[Mapping[str, str]] = {
    "name": "its name, as `serve --services` and `Simulator(services=)` take it",
    "interfaces": "its HTTP interfaces: the base path, the contract, and what makes it, which its first call runs",
    "definitions": "tables, machines, timers and settings, and the signals of the engine that it handles",
    "seeds": "put the sections of a fixture into a new world, in order",
    "fixture_checks": "refuse bodies in a fixture that the operation of an interface would refuse",
    "credentials": "the credentials of its callers, and how one is known in a call",
    "secrets": "the kinds of secrets that lists, recordings and traces hide, and where a replaying world shows them",
    "owners": "who has events and endpoints: the data of an event, its table, a test event",
    "webhook_kinds": "the types of its webhook events",
    "outputs": "what it sends other than by webhooks, such as mail: a table of which the feed of changes tells",
    "ledger": "its money: a table of entries whose postings add up to zero",
    "pages": "pages outside the contracts, such as a form: their path, what the feed says of a use, how faults name it",
    "web": "make the blueprints of its pages",
    "mounts": "make what answers at another path, each by its first call",
    "readings": "other readings of what its documents leave open about answers, each behind a setting",
    "after_settings": "run after settings of a world were changed",
    "kinds": "its kinds of records: table, machine, public id, label, owner, statuses, title",
    "searches": "make how its lists are searched: their fields, and what failed or waits",
    "areas": "packages and modules with the handlers of its operations of the control API",
    "health": "what fails and waits in its lists, by kept counts, and what to do about the newest",
    "counts": "how many of something there are in a world, for its description and its snapshots",
    "unsaid": "columns that mean nothing to people, and are left out of what a call changed",
    "slots": "columns that hold the slot of a record, which is named instead",
    "prefixes": "what names of its tables begin with that people do not say",
    "started_by": "tables of which a trace shows the rows that were there from the start",
    "activity": "what the log of `giftsim serve` tells of a call",
    "greetings": "what `giftsim serve` prints first: addresses, and calls to try",
    "magic": "its magic values, as rows of the reference",
    "rehearsals": "situations that its users fear, each by one word: the control calls that let it happen",
    "reasons": "why a record is not where somebody expected it, which verdicts tell",
    "effects": "types of effects that faults have on its calls",
    "coverage": "what coverage counts beside contracts and machines: permissions, expiries, rare endings",
    "families": "the families of statements and decisions that are about it",
    "read_documents": "read the statements, the decisions and the texts of machines; only what knows them has one",
}
