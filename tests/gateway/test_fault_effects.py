"""Effects of faults: which are valid, how a header writes them, and where they can act."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.gateway.faults import effects, matching
from giftsim.gateway.faults.effect import InvalidFault
from giftsim.gateway.faults.effect_registry import EFFECT_TYPES, can_act, check_effect, type_of
from giftsim.gateway.faults.injection import parse_header
from giftsim.gateway.problem import InjectedFault
from tests.support.sample_api import make_call


def message_of(effect: dict[str, Any]) -> str:
    """The message with which an effect is refused."""
    with pytest.raises(InvalidFault) as refused:
        check_effect(effect)
    return refused.value.message


@pytest.mark.parametrize(
    "effect",
    [
        {"status": 503}, {"status": 418, "undocumented": True, "code": "teapot", "retry_after": 0}, {"drop": "after"},
        {"delay_s": 0.5}, {"delay_s": {"from": 0, "to": 120}}, {"hold": True}, {"charge": "card_charge_failed"},
        {"crash": "after_charge"}, {"signing_key": "missing"}, {"webhook": "reorder"},
    ],
)  # fmt: skip
def test_an_effect_has_the_type_that_it_names(effect: dict[str, Any]) -> None:
    assert check_effect(effect) is type_of(effect) is EFFECT_TYPES[next(iter(effect))]


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ({}, "an effect is one of charge, status, drop, crash, delay_s, hold, signing_key, webhook; got none"),
        ({"hold": True, "drop": "after"}, "webhook; got 2 (hold, drop)"),
        ({"code": "x"}, "webhook; got code"),
        ({"stauts": 503}, "there is no effect 'stauts'; did you mean status?"),
        ({"status": 99}, "status takes an HTTP status from 200 to 599; not '99'"),
        ({"status": True}, "status takes an HTTP status from 200 to 599; not 'True'"),
        ({"status": 503, "retry_after": -1}, "retry_after takes whole seconds, for the header `Retry-After`; not '-1'"),
        ({"hold": 1}, "hold takes true (in the header nothing); not '1'"),
        ({"delay_s": {"from": 2, "to": 1}}, "or {from, to} for a seeded choice between (in the header `1..3`); not"),
        ({"delay_s": 120.1}, "delay_s takes 0 to 120 real seconds"),
        ({"drop": "after", "code": "x"}, "code does not go with drop; it goes with status"),
    ],
)
def test_an_invalid_effect_is_refused_with_the_reason(effect: dict[str, Any], message: str) -> None:
    assert message in message_of(effect)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("hold", {"hold": True}),
        ("status=429; retry_after=7", {"status": 429, "retry_after": 7}),
        (" status = 418 ;undocumented; code=teapot", {"status": 418, "undocumented": True, "code": "teapot"}),
        ("status=418; undocumented=true", {"status": 418, "undocumented": True}),
        ("delay_s=1.5", {"delay_s": 1.5}),
        ("delay_s=1..3", {"delay_s": {"from": 1, "to": 3}}),
        ("webhook=duplicate", {"webhook": "duplicate"}),
    ],
)
def test_a_header_is_an_effect_with_its_options(text: str, effect: dict[str, Any]) -> None:
    assert parse_header(text) == effect


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hold; hold", "hold is given twice"),
        ("status", "status takes an HTTP status from 200 to 599; not 'True'"),
        ("status=soon", "status takes an HTTP status from 200 to 599; not 'soon'"),
        ("", "there is no effect ''; known are charge"),
        ("hold=false", "hold takes true (in the header nothing); not 'false'"),
    ],
)
def test_a_malformed_header_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(InvalidFault) as refused:
        parse_header(text)
    assert message in refused.value.message


def test_a_status_is_injected_with_its_code_and_retry_after() -> None:
    def injected(effect: dict[str, Any]) -> tuple[int, str, int | None]:
        call = make_call()
        call.effect, call.fault = effect, "f1"
        with pytest.raises(InjectedFault, match=r"^injected by the fault f1$") as fault:
            effects.inject_status(call)
        return fault.value.injected

    assert injected({"status": 503}) == (503, "unavailable", None)
    assert injected({"status": 503, "code": "own", "retry_after": 9}) == (503, "own", 9)
    assert injected({"status": 418, "undocumented": True}) == (418, "status_418", None)


def test_only_a_documented_error_can_be_injected_unless_it_says_undocumented() -> None:
    call = make_call()
    for effect in ({"status": 418}, {"status": 200}):
        call.effect = effect
        assert not effects.can_refuse(call.operation, effect)
        with pytest.raises(InvalidFault) as refused:
            effects.inject_status(call)
        assert refused.value.message == (
            f"listThings documents the errors 503, not {effect['status']}; say undocumented: true to get it"
        )
        assert effects.can_refuse(call.operation, {**effect, "undocumented": True})


def test_a_delay_of_a_range_is_drawn_from_the_seed() -> None:
    span = {"from": 1, "to": 3}
    delays = [effects.draw_delay(seed, "delay r1", span) for seed in range(50)]
    assert delays == [effects.draw_delay(seed, "delay r1", span) for seed in range(50)]
    assert 1 <= min(delays) < 1.5 < 2.5 < max(delays) <= 3
    assert effects.draw_delay(1, "delay r1", 2) == 2.0


def test_an_effect_can_act_where_the_contract_documents_its_error() -> None:
    list_things = make_call().operation
    create_thing = make_call("POST").operation
    assert can_act(list_things, {"status": 503})
    assert not can_act(create_thing, {"charge": "card_charge_failed"})
    assert not can_act(list_things, {"webhook": "duplicate"})
    assert can_act(create_thing, {"webhook": "duplicate"})


@pytest.mark.parametrize(
    ("match", "effect", "message"),
    [
        (
            {"operation": "enterclaim"},
            {"status": 503},
            "match.operation: the claim page has only enterClaim; did you mean",
        ),
        ({"credential": "ada"}, {"status": 503}, "match.credential: guests of the claim page have none"),
        ({}, {"hold": True}, "match.interface: the claim page has only the effects drop, delay_s, status"),
        ({}, {"status": 200}, "status: the claim page can fail with 400 to 599 only"),
    ],
)
def test_a_fault_that_can_do_nothing_to_a_claim_is_refused(
    match: dict[str, str], effect: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidFault) as refused:
        matching.check_claim_fault(match, effect)
    assert refused.value.message.startswith(message)
