"""The generated tables of the documentation: `python -m tools docgen` writes them, and a test fails if one is outdated.

A page has a table between `<!-- generated: NAME -->` and `<!-- end -->`; `BLOCKS` has the functions by these names.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from giftsim.build import CONTRACTS, Simulator
from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.effect_types import operations_with
from giftsim.engine.gateway.sources import OWN, Sources
from giftsim.services.gifting.domain.fulfilment.offer import SHIPPING
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS
from giftsim.services.gifting.magic.reference_table import rows as magic_rows
from giftsim.services.gifting.rehearsals.rehearsal_table import REHEARSALS
from giftsim.services.known import make_definitions, merged_service
from giftsim.services.statements.entry import source_texts
from giftsim.workbench.assumptions.variants import load_variants
from giftsim.workbench.exam.receiver.probes import PROBES, RULE_OF
from giftsim.workbench.exam.rules import all_rules
from giftsim.workbench.scenario import find_scenarios, json_schema
from giftsim.workbench.scenario.library import ScenarioHead, folder_rank, read_head
from tools.__main__ import PROGRAMS
from tools.docgen.event_pages import event_request, events
from tools.docgen.machine_pages import machine_list, machines, timers
from tools.docgen.markdown import linked_source, linked_sources, table, written
from tools.docgen.member_schemas import VERBS, member_table
from tools.docgen.service_page import extension_points

HEADS = ("status", "code", "means", "how to cause it", "operations", "source")


def error_table(interface: str) -> str:
    """Every error code of an interface, or every error type of the museum's."""
    contract = Contract.load(CONTRACTS[interface])
    everything = list(contract.operations)
    rows = [
        (
            str(row["status"]),
            f"`{row['code']}`",
            row["meaning"],
            row["cause"],
            _named(operations_with(contract, row["code"]), everything),
            linked_sources(row["x-source"]),
        )
        for row in contract.published["x-errors"]
    ]
    return table(HEADS, rows)


def _named(operations: list[str], everything: list[str]) -> str:
    """The operations, or those that are left out if these are fewer; a dash if the code belongs to none."""
    others = [name for name in everything if name not in operations]
    if not operations:
        return "–"
    if len(others) < len(operations):
        return f"all but {', '.join(f'`{name}`' for name in others)}" if others else "all"
    return ", ".join(f"`{name}`" for name in operations)


_BLOCK = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

NOTHING: Final[Mapping[str, Callable[[], str]]] = {}

# Pages that may have generated tables, relative to the root of the repository.
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md")

# What a product's personalization requires.
PERSONALIZATIONS: Final = {"review_required": "needs review", "custom_artwork": "needs a signed proof in team orders"}

# What each credential is for.
CREDENTIALS: Final = {
    "partner.prepaid": "wallet 5,000.00 and a good default card",
    "partner.no_funds": "empty wallet, no card",
    "partner.net_terms": "credit limit 10,000.00",
    "partner.unbound": "bound to no account",
    "partner.no_capability": "lacks `team_orders`",
    "team.live_approver": "role approver, all scopes, spending ceilings set",
    "team.live_requester": "role requester, all scopes but `orders:pay`",
    "team.test": "a sandbox: role approver, all scopes but `orders:pay`",
    "team.test_second": "a second sandbox of the same team",
    "team.other_team": "approver key of another team",
    "session.owner": "a signed-in owner of the team",
    "session.approver": "a signed-in approver",
    "session.member": "a signed-in member",
    "session.otherowner": "the owner of another team",
    "museum": "user and password; `museum.{w}` in any world but `default`",
}


def pages_with_tables(root: Path) -> list[Path]:
    """The pages below the root of the repository that have a generated table."""
    pages = (path for pattern in PAGES for path in sorted(root.glob(pattern)))
    return [page for page in pages if _BLOCK.search(page.read_text(encoding="utf-8"))]


def refreshed(text: str, page: Path = Path("README.md"), more: Mapping[str, Callable[[], str]] = NOTHING) -> str:
    """The text with every generated block replaced by its current content; KeyError for an unknown name.

    Links lead from `page`, whose path is relative to the root of the repository. `more` adds blocks to `BLOCKS`.
    """
    root = os.path.relpath(".", page.parent)
    prefix = "" if root == "." else f"{root}/"
    blocks = {**BLOCKS, **more}
    return _BLOCK.sub(
        lambda block: f"{block[1]}\n{blocks[block[2]]().replace('](scenarios/', f']({prefix}scenarios/')}\n{block[3]}",
        text,
    )


def routes() -> str:
    """Every operation of every interface."""
    rows: list[tuple[str, ...]] = []
    for name, path in CONTRACTS.items():
        contract = Contract.load(path)
        rows += [
            (name, f"`{op.method} {contract.prefix}{op.template}`", str(op.node.get("summary", "")), _source(op))
            for op in contract.operations.values()
        ]
    return table(("interface", "call", "does", "source"), rows)


def verbs() -> str:
    """Every verb of the outside world."""
    found = Contract.load(CONTRACTS["control"]).operations.values()
    acts = [(op.template.partition(VERBS)[2], str(op.node["summary"])) for op in found]
    return table(("Verb", "Effect"), [(f"`{verb}`", f"{summary}.") for verb, summary in acts if verb])


def _source(op: Operation) -> str:
    """What names the operation, a statement or a decision: the first of its ids, or of those of the whole interface."""
    return linked_source(op.node.get("x-source", op.document["x-source"])[0])


def sources() -> str:
    """How many items of each interface and kind are documented, and how many decided."""
    rows: list[tuple[str, ...]] = []
    for name, path in CONTRACTS.items():
        found = Sources(Contract.load(path))
        if OWN in found.whole:
            continue
        counts = Counter((item.kind, item.documented) for item in found.distinct)
        rows += [
            (name, kind, str(counts[kind, True]), str(counts[kind, False]))
            for kind in dict.fromkeys(kind for kind, _ in counts)
        ]
        total = Counter(item.documented for item in found.distinct)
        rows.append((name, "**all**", f"**{total[True]}**", f"**{total[False]}**"))
    return table(("interface", "kind of item", "documented", "decided"), rows)


def credentials() -> str:
    """The named credentials of every world, with `{w}` for its id."""
    world = ClientWorld(Control(Simulator(fixture="bare").client), "default").send("GET")
    rows = []
    for name, entry in world["credentials"].items():
        value = str(entry.get("value") or f"{entry.get('user')} / {entry.get('password')}")
        rows.append((f"`{name}`", f"`{value.replace('default', '{w}')}`", CREDENTIALS[name]))
    return table(("name", "value", "is"), rows)


def settings() -> str:
    """Every setting of a world."""
    rows = [
        (f"`{setting.name}`", f"`{written(setting.default)}`", setting.takes, setting.meaning)
        for setting in make_definitions().settings.values()
    ]
    return table(("setting", "default", "takes", "says"), rows)


def variants() -> str:
    """Every other reading of a decision."""
    rows = [
        (
            f"`{each.variant}`",
            each.decision,
            f"{each.silent} {each.other}",
            ", ".join(f"`{name}: {written(value)}`" for name, value in each.settings.items()),
            each.safe,
        )
        for each in load_variants().values()
    ]
    return table(("variant", "decision", "what is open, and another reading", "settings", "safe"), rows)


def catalogue() -> str:
    """What the fixture sells, with the ids that orders may use."""
    state = Simulator(fixture="empty").registry.find("default").state
    rows = []
    for product in state[PRODUCTS]:
        for sku in state[SKUS].rows_in("product", product.n):
            price = sku.price_cents if sku.price_cents is not None else product.price_cents
            review = PERSONALIZATIONS.get(product.personalization, "")
            options = ", ".join(f"{option.name} {option.id}" for option in product.variations)
            numbers = (str(sku.id), str(product.id))
            rows.append((f"`{sku.code}`", *numbers, product.name, f"{price / 100:.2f}", options, review))
    shipping = ", ".join(f"{country} {setting.default / 100:.2f}" for country, setting in SHIPPING.items())
    ids = ("`sku_code`", "`merchant_sku_id`", "`merchant_product_id`")
    heads = (*ids, "product", "USD", "variations", "personalization")
    return table(heads, rows) + f"\n\nShipping for each parcel, in USD: {shipping}."


def language() -> str:
    """Every kind of step of a scenario, from the published schema."""
    parts = json_schema()["$defs"]
    kinds = [entry["$ref"].rpartition("/")[2] for entry in parts["step"]["oneOf"]]
    return table(
        ("step", "does", "other members"), (_step_row(name.removesuffix("_step"), parts[name]) for name in kinds)
    )


def _step_row(kind: str, rules: Mapping[str, Any]) -> tuple[str, str, str]:
    others = ", ".join(f"`{name}`" for name in rules["properties"] if name not in (kind, "in"))
    return f"`{kind}`", rules["description"], others


def faults() -> str:
    """Every effect of a fault, as the test-control API and the header write it."""
    rows = []
    for effect in merged_service().effect_types:
        options = "; ".join(f"`{name}`: {option.expects}" for name, option in effect.options.items())
        expects = effect.expects + (f". Options: {options}" if options else "")
        rows.append((f"`{effect.name}`", expects, effect.does, effect.acts_on))
    return table(("effect", "takes", "does", "acts on"), rows)


def magic() -> str:
    """Every magic value."""
    rows = [(row.value, row.found_in, row.means, row.source) for row in magic_rows()]
    return table(("value", "looked for in", "makes happen", "decided by"), rows)


def rehearsals() -> str:
    """Every rehearsal, by what users fear."""
    return table(("you fear", "word"), [(row.fear, f"`{row.name}`") for row in REHEARSALS])


MODELINE = re.compile(
    r"# yaml-language-server: \$schema=((?:\.\./)+)simulator/giftsim/workbench/scenario/schema\.json$", re.MULTILINE
)


class IndexedScenario(NamedTuple):
    """A scenario file by its path, relative to the folder that holds `scenarios/`, and what its first lines say."""

    path: str
    folder: str
    head: ScenarioHead


class InvalidHead(Exception):
    """A scenario file whose first lines lack what the index needs; the message names file and line."""


def indexed_scenarios(root: Path) -> list[IndexedScenario]:
    """All files in `root/scenarios`, by folder, question and path; InvalidHead if the head of one is incomplete."""
    found = [_indexed(root, file) for file in find_scenarios(root / "scenarios")]
    return sorted(found, key=lambda each: (folder_rank(each.folder), each.head.question, each.path))


def _indexed(root: Path, file: Path) -> IndexedScenario:
    """One file, whose head is its modeline, a comment with its purpose, `# question: ...`, then its title."""
    path, head = file.relative_to(root), read_head(file)
    modeline = MODELINE.match(file.read_text(encoding="utf-8"))
    if modeline is None or modeline[1] != "../" * (len(path.parts) - 1):
        raise InvalidHead(f"{path}:1: the first line must be the modeline with the path of the schema")
    if head is None or not head.purpose.endswith("."):
        raise InvalidHead(f"{path}:2: the second line must be a comment: a sentence that says what the scenario is for")
    if head.question is None or not head.question.endswith("?"):
        raise InvalidHead(f"{path}:3: one comment must be the question that the scenario answers, `# question: ...?`")
    return IndexedScenario(path.as_posix(), path.parts[1], head)


def scenario_index(root: Path) -> str:
    """All scenarios as Markdown, by folder and question."""
    parts: list[str] = []
    for folder, in_folder in groupby(indexed_scenarios(root), lambda each: each.folder):
        parts.append(f"## {folder}")
        for question, group in groupby(in_folder, lambda each: each.head.question):
            lines = [f"- [{head.title}]({path}): {head.purpose}{_mark(head)}" for path, _, head in group]
            parts.append("\n".join([f"### {question}", "", *lines]))
    return "\n\n".join(parts)


def _mark(head: ScenarioHead) -> str:
    return f" (sandbox: {head.sandbox})" if head.sandbox else ""


def receiver_probes() -> str:
    """Every probe of a receiver, with the rule that it shows."""
    rows = [
        (
            f"`{probe.name}`<br>of `{RULE_OF[probe.name]}`",
            probe.sends + (f", {probe.at_once} at a time" if probe.at_once > 2 else ""),
            probe.right + (", and one effect" if probe.effect else ""),
            probe.why,
            linked_sources(dict.fromkeys(sum(probe.sources, ()))),
        )
        for probe in PROBES
    ]
    return table(("probe of a rule", "sends", "right", "because", "source"), rows)


def exam_rules() -> str:
    """Every rule of the exam, with what it rests on."""
    rows = []
    for rule in all_rules():
        texts = source_texts(rule.sources).items()
        needs = ", ".join(f"`{each}`" for each in rule.needs)
        rests_on = "<br>".join(f"{linked_source(name)}: {text}" for name, text in texts)
        rows.append((f"`{rule.id}`", rule.rule, needs, ", ".join(rule.groups), rests_on))
    return table(("id", "rule", "needs", "groups", "rests on"), rows)


def programs() -> str:
    """What `python -m tools` lists."""
    return table(("program", "what it does"), [(f"`{name}`", each.line) for name, each in PROGRAMS.items()])


BLOCKS: Final[Mapping[str, Callable[[], str]]] = {
    "routes": routes,
    "verbs": verbs,
    "sources": sources,
    "partner-errors": partial(error_table, "partner"),
    "team-errors": partial(error_table, "team"),
    "museum-errors": partial(error_table, "museum"),
    "credentials": credentials,
    "settings": settings,
    "variants": variants,
    "catalogue": catalogue,
    "machine-list": machine_list,
    "machines": machines,
    "timers": timers,
    "event-request": event_request,
    "partner-events": partial(events, "partner"),
    "team-events": partial(events, "team"),
    "language": language,
    "library": partial(scenario_index, Path(__file__).parents[2]),
    "faults": faults,
    "answers": partial(member_table, "answers"),
    "magic": magic,
    "rehearsals": rehearsals,
    "receiver-probes": receiver_probes,
    "exam-rules": exam_rules,
    "programs": programs,
    "extension-points": extension_points,
}
