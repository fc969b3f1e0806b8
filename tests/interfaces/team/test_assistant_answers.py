"""How much a tool's answer has at most, and what it says of the rest (G379, G380)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.services.gifting.interfaces.team.assistant_answers import MAX_BYTES, cut_csv, cut_lists
from tests.support.assistants import fresh_key
from tests.support.responses import expect_status
from tests.support.team.campaigns import campaign_body, process
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift, create_order, typed_recipients
from tests.support.team.people import person_rows
from tests.support.worlds import World


def call_tool(team: TeamClients, name: str, **arguments: Any) -> Any:
    """The result of a tool call, whose message must not be larger than its three parts may be."""
    params = {"name": name, "arguments": {**fresh_key(name), **arguments}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    response = expect_status(team.world.client.call("POST", "/mcp", body=message, headers=team.live.headers), 200)
    assert len(response.body) < 3.5 * MAX_BYTES
    result = response.json()["result"]
    answer, *notes = result["content"]
    text = answer["text"] if answer["type"] == "text" else answer["resource"].get("text", "")
    assert len(text.encode()) <= MAX_BYTES
    assert "structuredContent" not in result or json.loads(text) == result["structuredContent"]
    assert [note["text"].startswith("Cut, ") for note in notes] == [True] * ("giftsim/cut" in result.get("_meta", {}))
    return result


def test_a_campaign_of_five_thousand_is_cut_and_says_so(team: TeamClients) -> None:
    team.world.change_settings(large_campaign__batch_size=5_000)
    campaign = process(team.live, team.live.post_json("/large-campaigns", campaign_body(5_000), 202))
    result = call_tool(team, "getLargeCampaign", id=campaign["id"])
    shown = result["structuredContent"]
    assert 100 < len(shown["recipients"]) < 5_000
    assert sum(shown["counts"].values()) == 5_000
    assert result["_meta"] == {"giftsim/cut": {"recipients": {"shown": len(shown["recipients"]), "total": 5_000}}}
    note = result["content"][1]["text"]
    assert f"recipients shows {len(shown['recipients']):,} of 5,000" in note
    assert f"GET /api/teams/v1/large-campaigns/{campaign['id']}" in note
    whole = team.live.get_json(f"/large-campaigns/{campaign['id']}")
    assert whole["recipients"][: len(shown["recipients"])] == shown["recipients"]
    assert {**whole, "recipients": shown["recipients"]} == shown


def test_every_row_of_a_long_list_is_reached_by_pages_that_are_not_too_large(team: TeamClients) -> None:
    message = "é" * 2_000
    orders = [create_order(team.live, headcount=400, recipients=typed_recipients(400)) for _ in range(3)]
    orders += [create_order(team.live, gift_message=message) for _ in range(40)]
    ids, cursor, pages = [], None, 0
    while pages == 0 or cursor is not None:
        page = call_tool(team, "listTeamOrders", limit=100, cursor=cursor)["structuredContent"]
        ids += [row["id"] for row in page["data"]]
        cursor, pages = page["next_cursor"], pages + 1
    assert ids == [order["id"] for order in reversed(orders)]
    assert pages > 1
    assert len(team.live.get_json("/team-orders?limit=100")["data"]) == 43


def test_a_short_answer_is_whole(team: TeamClients) -> None:
    create_gift(team.live, 50)
    result = call_tool(team, "listGifts")
    assert result["structuredContent"] == team.live.get_json("/gifts")
    assert "_meta" not in result


def test_a_file_is_cut_after_a_row(team: TeamClients) -> None:
    order = create_order(team.live, headcount=3_000, recipients=typed_recipients(3_000))
    result = call_tool(team, "getTeamOrderManifest", id=order["id"])
    resource, note = result["content"]
    whole = list(csv.reader(io.StringIO(team.live.get(f"/team-orders/{order['id']}/manifest.csv").text)))
    rows = list(csv.reader(io.StringIO(resource["resource"]["text"])))
    assert len(resource["resource"]["text"]) <= MAX_BYTES
    assert rows == whole[: len(rows)]
    assert f"rows shows {len(rows) - 1:,} of {len(whole) - 1:,}" in note["text"]


def test_what_a_write_did_is_whole_and_only_its_answer_is_cut(team: TeamClients) -> None:
    rows = person_rows(500, department="D" * 200)
    result = call_tool(team, "upsertPeople", body={"people": rows})
    assert (result["structuredContent"]["created"], len(team.live.list_all("/people"))) == (500, 500)
    assert result["_meta"]["giftsim/cut"]["data"]["total"] == 500
    assert "GET" not in result["content"][1]["text"]


def test_a_setting_leaves_the_recipients_out_of_lists(new_world: Callable[..., World]) -> None:
    team = TeamClients(new_world(settings={"answers.rows_without_recipients": True}))
    records = [("/gifts", create_gift(team.live)), ("/team-orders", create_order(team.live))]
    for path, record in records:
        (row,) = team.live.get_json(path)["data"]
        assert {**row, "recipients": record["recipients"]} == record
        assert team.live.get_json(f"{path}/{record['id']}")["recipients"] == record["recipients"]


values = st.recursive(
    st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=60,
)


@given(values, st.integers(20, 300))
def test_whatever_is_cut_fits_or_has_no_entries_left(value: Any, most: int) -> None:
    fitted = cut_lists(value, most_bytes=most)
    size = len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))
    if fitted is None:
        assert size > most
        return
    shown, cuts = fitted
    assert (shown == value) == (not cuts)
    assert all(0 <= kept < total for kept, total in cuts.values())


@given(st.lists(st.lists(st.text('a,\n"é', max_size=4), min_size=2, max_size=2), min_size=1), st.integers(0, 200))
def test_a_cut_table_begins_like_the_whole(rows: list[list[str]], most: int) -> None:
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
    text, cuts = cut_csv(file.getvalue(), most)
    assert len(text.encode()) <= most or not cuts
    kept = list(csv.reader(io.StringIO(text)))
    assert kept == rows[: len(kept)]
    assert (len(kept) < len(rows)) == bool(cuts)
    if cuts:
        assert cuts["rows"] == (max(0, len(kept) - 1), len(rows) - 1)


@pytest.mark.parametrize("tool", ["listTeamOrders", "listPeople", "listUpcomingPeople", "searchContacts"])
def test_an_empty_list_is_as_it_was(team: TeamClients, tool: str) -> None:
    assert call_tool(team, tool)["structuredContent"]["data"] == []
