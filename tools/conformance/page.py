"""The page with what every server did in every case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.conformance.case import MAY, MUST, SHOULD, Case
from tools.conformance.cases import GROUPS
from tools.conformance.outcomes import OURS, Outcome, Results, cases

PAGE = Path(__file__).with_name("README.md")
RFC = "https://www.rfc-editor.org/rfc/rfc"
INTRO = """# HTTP conformance

What giftsim's [own server](../../docs/internals/design.md) and four others do with {many} requests, byte by
byte: the forms of a request line, headers, framing, smuggling, connections and limits. Each case names the section of
[RFC 9110]({rfc}9110), [RFC 9112]({rfc}9112) or [RFC 9113]({rfc}9113) that it is about, and what that demands.

After almost every case the client sends another request on the same connection. So a cell says more than a status:

- `200` or `400, goes on`: this was the answer, and the next request was served too.
- `200, closes`: the connection was closed before the next request. A cell with an error leaves this out: `400`.
- `waits`: nothing more arrived, and the connection stayed open.
- `100 200`: several answers, here an interim one. `no header`: bytes that are not a response.

*ok* means that a server did what is demanded, or something else that is allowed. **differs** means that it did not.
A `200` that differs should not have been served, or the application saw another path, host or body. A difference is not
always a mistake: a server may have a reason, or leave a matter to the application or to a proxy.

All servers have the same application, which answers what it saw of a request. waitress {waitress} and granian {granian}
serve it by WSGI, uvicorn {uvicorn} with h11 {h11} by ASGI, all with their defaults. nginx {nginx} is Debian's, also
with its defaults; it passes each request on to itself, because it would otherwise answer before it has read the body.

`python -m tools conformance` runs the cases at the servers that are on your machine and prints where one differs. With
`--write` it also keeps the outcomes and generates this page. The [cases]({cases}) are data. `make test` runs them
at giftsim's server and `make ecosystem` at all of them, and both compare the outcomes with this page.
"""


def render(results: Mapping[str, Results]) -> str:
    """The page, from the results of all servers."""
    versions = {name: each.version for name, each in results.items() if name != OURS}
    versions["uvicorn"], _, versions["h11"] = versions["uvicorn"].partition(" ")
    intro = INTRO.format(many=len(cases()), rfc=RFC, cases="cases/lengths.py", **versions)
    parts = [intro, _table(_summary(results)), "## Where giftsim differs\n", "\n".join(_reasons(results)) + "\n"]
    for group, of_group in GROUPS.items():
        parts += [f"## {group}\n", _table(_rows(group, of_group, results))]
    return "\n".join(parts)


def _table(rows: Iterator[list[str]]) -> str:
    head, *body = rows
    rule = ["---"] * len(head)
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, rule, *body))


def _summary(results: Mapping[str, Results]) -> Iterator[list[str]]:
    yield ["ok, of cases with", *results]
    for level in (MUST, SHOULD, MAY):
        names = [name for name, case in cases().items() if case.level == level]
        counts = [sum(each.outcomes[name].is_met for name in names) for each in results.values()]
        yield [f"{level} ({len(names)})", *map(str, counts)]


def _reasons(results: Mapping[str, Results]) -> Iterator[str]:
    for name, case in cases().items():
        if not results[OURS].outcomes[name].is_met:
            yield f"- **{name}** ([{case.rule}]({_url(case.rule)}), {case.level}). {case.differs}"


def _rows(group: str, of_group: tuple[Case, ...], results: Mapping[str, Results]) -> Iterator[list[str]]:
    yield ["case", "rule", "demands", *results]
    for case in of_group:
        outcomes = [each.outcomes[f"{group}: {case.name}"] for each in results.values()]
        yield [case.name, f"[{case.rule}]({_url(case.rule)})", f"{case.level}: {case.demands}", *map(_cell, outcomes)]


def _cell(outcome: Outcome) -> str:
    return f"ok: {outcome.what}" if outcome.is_met else f"**differs**: {outcome.what}"


def _url(rule: str) -> str:
    rfc, _, section = rule.partition(" ")
    return f"{RFC}{rfc}#section-{section}"
