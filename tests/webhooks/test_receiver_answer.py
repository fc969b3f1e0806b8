"""The bodies that receivers answer: which are kept, and for how long (G150)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.kernel.serializer import fingerprint
from giftsim.webhooks.outgoing import Outcome
from giftsim.webhooks.receiver import InvalidReceiver
from giftsim.webhooks.receiver_script import KEPT_ANSWERS, KEPT_BYTES, RECEIVER_ANSWER, find_answer, keep_answer
from tests.support.webhook_world import WebhookWorld

FORWARDED: dict[str, Any] = {"mode": "forward", "to": "http://127.0.0.1:9000"}


def world_with_attempt(**entry: Any) -> WebhookWorld:
    """A world in which a receiver answered one attempt."""
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(**entry)
    world.emit()
    world.advance("40m")
    return world


def test_a_scripted_body_is_kept_with_its_attempt() -> None:
    world = world_with_attempt(script=[{"status": 500, "body": "out of <b>paper</b>"}])
    answer = find_answer(world.state, 0)
    assert answer is not None
    assert (answer.body, answer.cut) == (b"out of <b>paper</b>", False)


def test_an_empty_body_takes_no_place() -> None:
    assert list(world_with_attempt(then={"status": 204}).state[RECEIVER_ANSWER]) == []


def test_a_long_body_of_a_forwarded_attempt_is_cut() -> None:
    world = WebhookWorld()
    world.courier = lambda _: Outcome("http_status", 500, 0, 0.1, b"x" * (KEPT_BYTES + 1))
    world.subscribe()
    world.set_receiver(**FORWARDED)
    world.emit()
    world.advance("40m")
    answer = find_answer(world.state, 0)
    assert answer is not None
    assert (len(answer.body), answer.cut) == (KEPT_BYTES, True)


def test_the_newest_answers_are_kept() -> None:
    world = WebhookWorld()
    with world.state.transaction():
        for attempt in range(KEPT_ANSWERS + 3):
            keep_answer(world.state, attempt, b"late")
    assert [answer.attempt for answer in world.state[RECEIVER_ANSWER]] == list(range(3, KEPT_ANSWERS + 3))


def test_the_answer_of_a_dropped_attempt_is_dropped() -> None:
    world = WebhookWorld()
    world.change_setting("webhooks.attempts_kept", 1)
    world.subscribe()
    world.set_receiver(then={"status": 503, "body": "down"})
    world.emit()
    world.advance("50m")
    assert len(world.attempts) == 1
    assert [answer.attempt for answer in world.state[RECEIVER_ANSWER]] == [world.attempts[0].n]


def test_a_body_changes_no_fingerprint() -> None:
    quiet, chatty = (world_with_attempt(then={"status": 503, **body}) for body in ({}, {"body": "down"}))
    assert fingerprint(quiet.state) == fingerprint(chatty.state)


@pytest.mark.parametrize("body", [7, "x" * 4097, None])
def test_a_body_is_a_text_of_bounded_length(body: object) -> None:
    with pytest.raises(InvalidReceiver, match="body must be a text of at most 4096 characters"):
        WebhookWorld().set_receiver(then={"status": 200, "body": body})
