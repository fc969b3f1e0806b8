"""The summary at the end of `run`: calls by their status, webhooks by their outcome, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from giftsim.engine.kernel.texts import count_with_noun, one_line
from giftsim.testing.routing import origin_of

if TYPE_CHECKING:
    from giftsim.cli.run.forwarder import Forwarder
    from giftsim.testing.clients import Clients

MOST = 8
NO_CALL = (
    "giftsim: no call came: the app must call the address in GIFTSIM_URL, or name the URL that it calls with --route"
)
REACHED = ", but a client connected"
NOTHING_CALLED = "; does the app have another address, or a client that uses no proxy?"


def summary(
    forwarder: Forwarder | None, clients: Clients, webhooks: str | None, *, was_called: bool, trusted: str | None
) -> str:
    """The lines, each beginning with `giftsim:` or indented below such a line.

    `was_called` says whether any call came, and `trusted` is the file with the certificates that clients must trust.
    """
    calls = _calls(forwarder, trusted) if forwarder is not None else () if was_called else (NO_CALL,)
    return "\n".join(map(one_line, [*calls, *_webhooks(clients, webhooks)]))


def _calls(forwarder: Forwarder, trusted: str | None) -> Iterator[str]:
    gave_up = list(_gave_up(forwarder, trusted))
    for base in forwarder.routes.bases:
        rows = sorted((row, count) for row, count in forwarder.calls.items() if count and row[0] == base)
        if not rows:
            yield f"giftsim: nothing called {base}{REACHED if gave_up else NOTHING_CALLED}"
            continue
        yield f"giftsim: {count_with_noun(sum(count for _, count in rows), 'call')} to {base}"
        yield from _listed([f"{status or '---'} {method} {path}{_times(n)}" for (_, method, path, status), n in rows])
    for target, count in sorted(forwarder.refused.items()):
        yield f"giftsim: not called: {target}{_times(count)}"
    yield from gave_up
    yield from (f"giftsim: {note}" for note in forwarder.routes.notes)


def _gave_up(forwarder: Forwarder, trusted: str | None) -> Iterator[str]:
    """Why clients that connected did not make their calls."""
    called = {origin.host for (base, *_) in forwarder.calls if (origin := origin_of(base))}
    for (host, is_about_certificate), count in sorted(forwarder.gave_up.items()):
        if is_about_certificate or host not in called:  # some clients make more connections than they use
            reason = "does not trust" if is_about_certificate else "may not trust"
            yield (
                f"giftsim: a client ended its connection to {host} before a call{_times(count)}: it {reason} the"
                f" certificate; give it {trusted}, as wget takes by --ca-certificate and LWP in PERL_LWP_SSL_CA_FILE"
            )
    for host, count in sorted(forwarder.http2.items()):
        yield (
            f"giftsim: a client spoke HTTP/2 to {host}{_times(count)}, and giftsim speaks HTTP/1.1: turn HTTP/2 off in"
            " the client"
        )


def _webhooks(clients: Clients, webhooks: str | None) -> Iterator[str]:
    sent = clients.listed("deliveries")
    if not sent:
        if webhooks:
            yield f"giftsim: no webhooks were sent to {webhooks}; partner events wait for the next full hour"
        return
    rows = Counter((row["type"], str(row["status"] or row["outcome"])) for row in sent)
    yield f"giftsim: {count_with_noun(len(sent), 'webhook')} {f'to {webhooks}' if webhooks else 'captured'}"
    yield from _listed([f"{answer} {kind}{_times(count)}" for (kind, answer), count in sorted(rows.items())])


def _listed(lines: list[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines[:MOST])
    if len(lines) > MOST:
        yield f"  and {len(lines) - MOST} more"


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""
