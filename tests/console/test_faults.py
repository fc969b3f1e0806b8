"""The page about faults: active ones with their hits, the palette of effects, and the form of each."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from giftsim.console.pages.faults import BadForm, fault_body
from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def faults(world: World) -> list[dict[str, Any]]:
    """The active faults."""
    rows: list[dict[str, Any]] = world.call_control("GET", "/faults")["faults"]
    return rows


def test_without_faults_the_page_says_so_and_proposes_one(
    console: Console, world: World, partner: PartnerClient
) -> None:
    page = console.open("faults")
    assert (console.status, page.heading) == (200, "Break something")
    assert "No fault is active" in page.text
    console.follow("Fail the next call")
    console.press("Add the fault")
    assert "The fault fault-1 is active." in console.page.text
    assert partner.get("/team-orders").status == 503
    assert partner.get("/team-orders").status == 200


def test_the_palette_has_every_effect_with_a_form_that_adds_it(console: Console, world: World) -> None:
    effects = world.call_control("GET", "/faults/choices")["effects"]
    values = {"status": "500", "delay_s": "0.5..1"}
    for effect in effects:
        console.open("faults")
        console.follow(effect["name"])
        console.press("Add the fault", **({"value": values[effect["name"]]} if effect["name"] in values else {}))
        assert "is active." in console.page.text, effect["name"]
    assert [next(iter(fault["effect"])) for fault in faults(world)] == [effect["name"] for effect in effects]


def test_hits_are_counted_and_lead_to_the_calls(console: Console, world: World, partner: PartnerClient) -> None:
    console.open("faults?effect=status&value=503&target=partner listTeamOrders&credential=partner.prepaid")
    console.press("Add the fault", every="2", id="flaky")
    assert faults(world)[0]["match"] == {
        "interface": "partner", "operation": "listTeamOrders", "credential": "partner.prepaid",
    }  # fmt: skip
    assert [partner.get("/team-orders").status for _ in range(4)] == [200, 503, 200, 503]
    page = console.open("faults")
    assert "flaky" in page.text
    assert (faults(world)[0]["calls"], faults(world)[0]["hits"]) == (4, 2)
    console.follow("2 hits")
    assert console.path.endswith("/calls?q=fault:flaky")
    assert len([name for name, _ in console.page.links if name.startswith("listTeamOrders")]) == 2


def test_faults_are_ended_one_by_one_and_all_at_once(console: Console, world: World) -> None:
    for name in ("a", "b", "c"):
        world.call_control("POST", "/faults", {"id": name, "effect": {"delay_s": 1}})
    console.open("faults")
    console.press("End")
    assert [fault["id"] for fault in faults(world)] == ["b", "c"]
    console.press("End all faults")
    assert faults(world) == []
    assert "2 faults have ended." in console.page.text
    console.press("Undo")
    assert [fault["id"] for fault in faults(world)] == ["b", "c"]


def test_what_can_never_act_is_refused_in_words(console: Console, world: World) -> None:
    console.open("faults?effect=charge&target=partner listTeamOrders")
    console.press("Add the fault")
    assert "can do nothing to listTeamOrders" in console.page.text
    console.open("faults?effect=status")
    console.press("Add the fault", value="much")
    assert "No fault was added: status takes a whole number, not 'much'." in console.page.text
    assert faults(world) == []


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({"effect": "hold", "value": "true"}, {"effect": {"hold": True}}),
        (
            {"effect": "drop", "value": "after", "calls": "2, 5"},
            {"effect": {"drop": "after"}, "when": {"calls": [2, 5]}},
        ),
        ({"effect": "delay_s", "value": "1..2.5"}, {"effect": {"delay_s": {"from": 1.0, "to": 2.5}}}),
        (
            {"effect": "status", "value": "418", "code": "tea", "retry_after": "7", "undocumented": "true"},
            {"effect": {"status": 418, "code": "tea", "retry_after": 7, "undocumented": True}},
        ),
        (
            {"effect": "webhook", "value": "duplicate", "event": "order.shipped", "host": "a.example", "from": "+1d"},
            {"effect": {"webhook": "duplicate"}, "match": {"event": "order.shipped", "host": "a.example"},
             "when": {"from": "+1d"}},
        ),
        ({"effect": "hold", "value": "true", "target": "museum", "probability": "0.5", "first": " "},
         {"effect": {"hold": True}, "match": {"interface": "museum"}, "when": {"probability": 0.5}}),
    ],
)  # fmt: skip
def test_the_form_means_this_body(fields: dict[str, str], body: dict[str, Any]) -> None:
    assert fault_body(fields) == body


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"effect": "drop"},
        {"effect": "status", "value": "x"},
        {"effect": "delay_s", "value": "1..x"},
        {"effect": "hold", "calls": "1 x"},
    ],
)
def test_a_field_that_is_not_a_number_is_named(fields: dict[str, str]) -> None:
    with pytest.raises(BadForm):
        fault_body(fields)


def test_hostile_text_is_text(console: Console, world: World) -> None:
    world.call_control("POST", "/faults", {"effect": {"status": 418, "code": "tea", "undocumented": True}})
    for query in ("value", "target", "credential", "first", "host", "event"):
        console.open(f"faults?effect=webhook&{query}={quote(HOSTILE)}")
        console.open(f"faults?effect=status&{query}={quote(HOSTILE)}")
        assert ("script", {}) not in console.page.elements
        assert "&<b>" not in console.response.text
