"""The summary at the end of `run`: calls by their status, webhooks by their outcome, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from giftsim.kernel.counted import counted
from giftsim.kernel.one_line import one_line

if TYPE_CHECKING:
    from giftsim.cli.run.proxy import Proxy
    from giftsim.testing.clients import Clients

MOST = 8


def summary(proxy: Proxy | None, clients: Clients, webhooks: str | None) -> str:
    """The lines, each beginning with `giftsim:` or indented below such a line."""
    lines = [*(_calls(proxy) if proxy is not None else ()), *_webhooks(clients, webhooks)]
    return "\n".join(map(one_line, lines))


def _calls(proxy: Proxy) -> Iterator[str]:
    for base in proxy.routes.bases:
        rows = sorted((row, count) for row, count in proxy.calls.items() if row[0] == base)
        if not rows:
            yield f"giftsim: nothing called {base}; does the app have another address, or a client that uses no proxy?"
            continue
        yield f"giftsim: {counted(sum(count for _, count in rows), 'call')} to {base}"
        yield from _listed([f"{status or '---'} {method} {path}{_times(n)}" for (_, method, path, status), n in rows])
    for target, count in sorted(proxy.refused.items()):
        yield f"giftsim: not called: {target}{_times(count)}"
    yield from (f"giftsim: {note}" for note in proxy.routes.notes)


def _webhooks(clients: Clients, webhooks: str | None) -> Iterator[str]:
    sent = clients.listed("deliveries")
    if not sent:
        if webhooks:
            yield f"giftsim: no webhooks were sent to {webhooks}; partner events wait for the next full hour"
        return
    rows = Counter((row["type"], str(row["status"] or row["outcome"])) for row in sent)
    yield f"giftsim: {counted(len(sent), 'webhook')} {f'to {webhooks}' if webhooks else 'captured'}"
    yield from _listed([f"{answer} {kind}{_times(count)}" for (kind, answer), count in sorted(rows.items())])


def _listed(lines: list[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines[:MOST])
    if len(lines) > MOST:
        yield f"  and {len(lines) - MOST} more"


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""
