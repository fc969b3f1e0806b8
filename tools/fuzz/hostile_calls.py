"""Calls of every operation with hostile headers and credentials: each is small, and none is what a client sends."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from tools.fuzz.changed_inputs import mutated, mutated_text, parameters, requests
from tools.fuzz.target import Input, KnownIds

LONG = "9" * 6_000
TEXTS = (
    "", " ", ",", ";", "=", '"', "\\", "*", "%", "%zz", "%00", "%ff%fe", "../..", "null", "undefined", "NaN", "-1",
         "0", "1e400",
    "0x10", "\xd9\xa3", "é", "\xff\xfe", "\x00", "\x01", "\x7f", "\t", "a\tb", "a,b", "a;b=c", "a=b; c=\"d", '"a',
         "=?utf-8?q?a?=", "${x}",
    "{}", "[]", "<a>", "'--", "a" * 300, LONG, "http://[", "http://[::1", "http://", "//", "//a",
         "javascript:alert(1)", "http://a:99999999",
    "http://a:b@c", "https://\xe9.example", "9999-12-31T23:59:59Z", "0001-01-01", "Thu, 32 Jan 2026 25:61:61 GMT",
         "-5d", "99999999w",
)  # fmt: skip
SCHEMES = (
    "Bearer",
    "bearer",
    "BEARER",
    "Basic",
    "basic",
    "Session",
    "Digest",
    "Negotiate",
    "",
    "Bearer Bearer",
    "Basic\t",
    "Bearer,",
    "é",
)
TOKENS = (
    "pk_live_default_prepaid", "pk_live_default_", "pk_live__prepaid", "pk_live_", "pk_live_.._prepaid",
         "pk_live_default_prepaid_",
    "pk_test_default_prepaid", "PK_LIVE_DEFAULT_PREPAID", "ptk_live_default_approver", "ptk_live_default_",
         "ptk_test_default_first",
    "ptk_live_%64efault_approver", "sess_default_owner", "sess_default_", "sess__owner",
         "pk_live_" + "a" * 200 + "_prepaid", "pk_live_é_prepaid",
    "pk_live_default_prepaid, pk_live_default_nofunds", "pk_live_default_prepaid pk_live_default_nofunds",
         "pk_live_\x00_prepaid",
)  # fmt: skip
USERS = (
    b"museum:museum-pass", b"museum:", b":museum-pass", b"museum", b"", b":", b"::", b"\xff\xff", b"\xff:\xff",
         b"museum.ghost:museum-pass",
    b"museum.default:museum-pass", b"museum.:museum-pass", b"museum.\xc3\xa9:x", b"museum:\x00", b"a" * 5_000 + b":b",
         b"museum:museum-pass:x",
)  # fmt: skip
ENCODED = (
    "=",
    "====",
    "bXVzZXVt",
    "bXVzZXVt=",
    "b XVz",
    "!!!!",
    "_-_-",
    "bXVz\xe9",
    LONG,
    "//8=",
    "bXVzZXVtOm11c2V1bS1wYXNz=",
)
NAMES = (
    "Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers", "Access-Control-Request-Method",
         "Connection",
    "Content-Encoding", "Content-Length", "Content-Type", "Cookie", "Date", "Expect", "Forwarded", "Host",
         "Idempotency-Key",
    "If-Match", "If-Modified-Since", "If-None-Match", "Last-Event-ID", "MCP-Protocol-Version", "Mcp-Session-Id",
         "Origin", "Prefer",
    "Range", "Referer", "Sec-Fetch-Site", "TE", "Traceparent", "Transfer-Encoding", "Upgrade", "User-Agent",
         "X-API-Key",
    "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-HTTP-Method-Override", "X-Request-Id",
         "X-Sim-Fault", "X-Sim-World",
)  # fmt: skip
VALUES: Mapping[str, Sequence[str]] = {
    "Accept": ("*/*;q=nan", "text/html;q=", "application/json;q=-1", "text/event-stream", ",,,", "*/*" * 500),
    "Content-Length": ("+2", "2, 2", "2.0", "99999999999999999999"),
    "Content-Type": (
        "application/json; charset=utf-16", "application/json; charset=nonsense", "application/json;;;", "text/plain",
        "multipart/form-data", "multipart/form-data; boundary=", "application/x-www-form-urlencoded; charset=\xe9",
         "application/+json",
    ),
    "Cookie": ("session=sess_default_owner", "session=", "session", "session=\"", "session=a; session=b", ";" * 500,
         "$Version=1"),
    "Host": ("[", "[::1", "a:b", "a@b", "\xe9.example", "localhost:99999999"),
    "Last-Event-ID": ("-1", "1.5", "0" * 400),
    "Origin": ("null", "http://localhost", "http://evil.example", "http://[::1]:x"),
    "Range": ("bytes=", "bytes=5-1", "bytes=-", "bytes=0-" + LONG, "lines=1-2"),
    "Sec-Fetch-Site": ("same-origin", "cross-site", "none"),
    "X-Sim-Fault": (
        "status=", "status=99", "status=999", "status=abc", "times=1", "drop=", "status=503; times=-1",
         "status=503; times=" + LONG,
        "status=503; status=503", "crash=", "charge=none", "retry_after=-1", "status=429; retry_after=1e9", "=;=;",
         "status",
    ),
    "X-Sim-World": ("default", "nobody", "default,default", "default ", "DEFAULT", "..", "fuzzed"),
}  # fmt: skip
PATH_VALUES = ("x", "0", "-1", "%00", "..", "%2e%2e", "%2F", "%ff", "é", LONG[:300], "1e3", "1001 ", "1;2")
PARAMETERS = (
    "limit", "after", "before", "cursor", "page", "per_page", "status", "from", "to", "since", "until", "sort",
         "order", "fields",
    "email", "q", "ids", "kind", "mode", "wait_s", "all", "include", "expand", "month", "date",
)  # fmt: skip


def hostile_calls(chance: Random, known: KnownIds) -> Iterator[Input]:
    """Endlessly many calls. Paths have ids that are known, and others."""
    while True:
        base = chance.choice(requests())
        headers = {name: _value(name, chance) for name in chance.sample(NAMES, chance.choice((0, 1, 1, 2, 3, 6)))}
        if chance.random() < 0.5:
            headers["Authorization"] = authorization(chance)
        content = base.content if chance.random() < 0.6 else mutated(base.content, chance)
        yield Input("request", content, base.method, _path(base.path, chance, known.ids), base.credential, headers)


def _value(name: str, chance: Random) -> str:
    known = VALUES.get(name, ())
    if known and chance.random() < 0.6:
        return chance.choice(known)
    text = chance.choice(TEXTS)
    return text if chance.random() < 0.8 else mutated_text(chance.choice((*known, text)), chance)


def authorization(chance: Random) -> str:
    """A header that names nobody, or somebody in an unusual way."""
    match chance.randrange(5):
        case 0:
            return f"Basic {b64encode(chance.choice(USERS)).decode()}"
        case 1:
            return f"{chance.choice(SCHEMES)} {chance.choice(ENCODED)}"
        case 2:
            return chance.choice(TEXTS)
        case 3:
            return mutated_text(f"Bearer {chance.choice(TOKENS)}", chance)
        case _:
            return f"{chance.choice(SCHEMES)} {chance.choice(TOKENS)}"


def _path(path: str, chance: Random, ids: Sequence[str]) -> str:
    """The path with values for its parameters, now and then a hostile part, and sometimes a query."""
    parts = [chance.choice(ids) if part in parameters() else part for part in path.split("/")]
    parts = [chance.choice(PATH_VALUES) if part and chance.random() < 0.05 else part for part in parts]
    if chance.random() < 0.7:
        return "/".join(parts)
    pairs = (
        f"{chance.choice(PARAMETERS)}={chance.choice((*TEXTS, *PATH_VALUES))}"
        for _ in range(chance.choice((1, 1, 2, 5)))
    )
    return "/".join(parts) + "?" + "&".join(pairs)
