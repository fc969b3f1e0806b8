"""Forty questions in the words of somebody who does not know ours, and the pages that answer each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

QUESTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "how do I make a card get declined": ("how-to/make-things-go-wrong",),
    "simulate a response that never arrives": ("how-to/make-things-go-wrong",),
    "return 429 too many requests": ("how-to/make-things-go-wrong",),
    "what if the carrier loses the parcel": ("how-to/make-things-go-wrong",),
    "send the same webhook twice": ("how-to/make-things-go-wrong", "how-to/receive-webhooks"),
    "receive webhooks on my laptop": ("how-to/receive-webhooks",),
    "how long are webhooks retried when my endpoint is down": ("how-to/receive-webhooks",),
    "resend a failed webhook": ("how-to/receive-webhooks", "how-to/use-the-console"),
    "check the webhook signature in PHP": ("how-to/verify-webhooks",),
    "signature does not match": ("how-to/verify-webhooks",),
    "change the webhook secret": ("how-to/verify-webhooks",),
    "skip ahead ten days": ("how-to/move-time",),
    "avoid sleep in tests": ("how-to/move-time",),
    "change the date my app sees": ("how-to/move-your-apps-time", "how-to/freeze-your-apps-clock"),
    "approve gifts automatically": ("how-to/move-time",),
    "run tests in parallel": ("how-to/worlds-and-undo", "how-to/test-in-any-language"),
    "reset all data between tests": ("how-to/worlds-and-undo",),
    "go back to an earlier state": ("how-to/worlds-and-undo",),
    "keep orders after the server restarts": ("how-to/worlds-and-undo",),
    "cancel what I just did": ("how-to/worlds-and-undo",),
    "is my app ready for production": ("how-to/is-my-integration-right",),
    "which error codes did I forget to test": ("how-to/is-my-integration-right",),
    "prove to a customer that my integration works": ("how-to/is-my-integration-right",),
    "find race conditions in my app": ("how-to/explore",),
    "why did I not get a webhook": ("how-to/why-did-my-test-fail",),
    "my test failed and I have no idea why": ("how-to/why-did-my-test-fail", "how-to/read-a-trace"),
    "send a bug to a colleague": ("how-to/record-and-replay",),
    "how accurate is the simulator": ("how-to/how-sure-is-the-simulator",),
    "differences to the real api": ("how-to/compare-with-the-real-service",),
    "install on windows": ("how-to/install",),
    "junit example": ("how-to/test-in-any-language",),
    "vitest setup": ("how-to/test-with-node",),
    "mock the vendor without changing my code": ("how-to/test-in-any-language",),
    "docker compose": ("how-to/run-in-ci",),
    "github actions workflow": ("how-to/run-in-ci",),
    "certificate error with https": ("how-to/run-for-a-team",),
    "cors error": ("how-to/run-for-a-team",),
    "connect claude": ("how-to/use-a-coding-assistant",),
    "list of all error codes": ("reference/errors",),
    "which webhook events exist": ("reference/events",),
}
FIRST, MOST_MISSED = 3, 2  # a page is found if it is among the first; and the questions that may miss theirs


def missed(find: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """The questions whose pages a search does not find among the first, with what it finds: names of pages."""
    found = {question: find(question)[:FIRST] for question in QUESTIONS}
    return {asked: pages for asked, pages in found.items() if not {*pages} & {*QUESTIONS[asked]}}
