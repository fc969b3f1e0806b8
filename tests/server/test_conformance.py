"""The server does what RFC 9110 and RFC 9112 demand in every case of `tools/conformance`, or the page says why not."""

from __future__ import annotations

from tools.conformance.__main__ import run_own
from tools.conformance.case import MUST, Case, post, refused, served
from tools.conformance.cases import GROUPS
from tools.conformance.exchange import Observed, Response, read_responses
from tools.conformance.outcomes import OURS, cases, kept
from tools.conformance.page import PAGE, render

REGENERATE = "run `python -m tools conformance --write`: an outcome in tools/conformance/README.md is another one now"


def test_the_outcome_of_every_case_is_the_one_on_the_page() -> None:
    found, shown = run_own().outcomes, kept()[OURS].outcomes
    assert {name: (found[name], shown.get(name)) for name in found if found[name] != shown.get(name)} == {}, REGENERATE


def test_the_page_shows_the_outcomes_that_are_kept() -> None:
    assert PAGE.read_text("utf-8") == render(kept()), REGENERATE


def test_every_difference_has_a_reason() -> None:
    shown = kept()[OURS].outcomes
    assert [name for name, case in cases().items() if bool(case.differs) is shown[name].is_met] == []


def test_every_case_has_a_name_of_its_own_and_every_server_its_outcome() -> None:
    assert len(cases()) == sum(len(group) for group in GROUPS.values())
    for results in kept().values():
        assert set(results.outcomes) == set(cases())


SMUGGLED = Case("", "", MUST, "", post(b"Content-Length: 2", b"Content-Length: 3"), (refused(400),))
SEEN = b'{"path": "/case", "body": "ab"}'
NEXT = b'{"path": "/next"}'


def answers(*contents: tuple[int, bytes], closed: bool = True, garbage: bytes = b"") -> Observed:
    responses = [Response(status, "HTTP/1.1", {}, content) for status, content in contents]
    return Observed(responses, garbage, closed)


def test_a_server_that_serves_what_it_must_refuse_differs() -> None:
    assert SMUGGLED.is_met(answers((400, b"")))
    assert not SMUGGLED.is_met(answers((200, SEEN), (200, NEXT)))
    assert not SMUGGLED.is_met(answers((400, b""), (200, NEXT)))
    assert not SMUGGLED.is_met(answers((400, b""), closed=False))
    assert not SMUGGLED.is_met(answers((400, b""), garbage=b"more"))
    assert not SMUGGLED.is_met(answers())


def test_a_server_that_reads_another_body_differs() -> None:
    case = SMUGGLED._replace(accepts=(served(body="ab"),))
    assert case.is_met(answers((200, SEEN), (200, NEXT)))
    assert not case.is_met(answers((200, SEEN.replace(b"ab", b"abc")), (200, NEXT)))


def test_responses_are_told_apart() -> None:
    sent = (
        b"HTTP/1.1 100 Continue\r\n\r\n"
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1;x\r\nb\r\n0\r\n\r\n"
        b"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.0 400 Bad Request\r\nContent-Length: 2\r\n\r\ncdxyz"
    )
    responses, rest = read_responses(sent, first_is_head=False)
    assert [(each.status, each.content) for each in responses] == [(100, b""), (200, b"ab"), (204, b""), (400, b"cd")]
    assert rest == b"xyz"
