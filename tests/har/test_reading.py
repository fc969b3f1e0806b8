"""HAR files as different tools write them, and files that are none."""

from __future__ import annotations

import json
from base64 import b64encode
from gzip import compress
from pathlib import Path
from typing import Any

import pytest

from giftsim.workbench.har.reading import Exchange, NotHar, parse_har, read_har

URL = "https://api.service.example/v1.1/museum-hours?limit=2"


def entry(**members: Any) -> dict[str, Any]:
    """An entry as HAR 1.2 asks for it, with other members."""
    return {
        "startedDateTime": "2027-01-04T09:00:00.250Z",
        "request": {"method": "GET", "url": URL, "headers": [{"name": "Accept", "value": "*/*"}]},
        "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": "[]"}},
        **members,
    }


def har(*entries: Any) -> bytes:
    """A file with these entries."""
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "tool"}, "entries": entries}}).encode()


def only(*entries: Any) -> Exchange:
    """The only exchange of a file."""
    [exchange] = parse_har(har(*entries), "f.har").exchanges
    return exchange


def test_an_entry_has_its_instant_its_target_its_headers_and_its_bytes() -> None:
    exchange = only(entry())
    assert (exchange.number, exchange.at_ms, exchange.method) == (1, 1799053200250, "GET")
    assert (exchange.origin, exchange.target) == ("https://api.service.example", "/v1.1/museum-hours?limit=2")
    assert exchange.headers == {"accept": "*/*"}
    assert exchange.response is not None
    assert (exchange.response.status, exchange.response.body) == (200, b"[]")
    assert exchange.response.headers["content-type"] == "application/json"


def test_entries_are_read_in_the_order_of_their_instants_in_any_zone() -> None:
    late = entry(startedDateTime="2027-01-04T10:00:01+01:00")
    exchanges = parse_har(b"\xef\xbb\xbf" + har(late, entry()), "f.har").exchanges
    assert [each.number for each in exchanges] == [2, 1]


def test_bodies_in_base64_and_forms_without_text_become_bytes() -> None:
    image = {"mimeType": "image/png", "text": b64encode(b"\x89PNG\xff").decode(), "encoding": "base64"}
    form = {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a b", "value": "1&2"}]}
    request = {"method": "post", "url": URL, "headers": [], "postData": form}
    exchange = only(entry(request=request, response={"status": 200, "headers": [], "content": image}))
    assert exchange.response is not None
    assert (exchange.response.body, exchange.body, exchange.method) == (b"\x89PNG\xff", b"a+b=1%262", "POST")


def test_pseudo_headers_and_those_of_the_wire_are_left_out_and_lines_of_one_name_joined() -> None:
    lines = [(":authority", "x"), ("Content-Encoding", "br"), ("Accept", "a"), ("accept", "b")]
    headers = [{"name": name, "value": value} for name, value in lines]
    exchange = only(entry(request={"method": "GET", "url": URL, "headers": headers}))
    assert exchange.headers == {"accept": "a, b"}


@pytest.mark.parametrize(
    ("content", "has_body"),
    [
        ({"size": 12, "mimeType": "application/json"}, False),
        ({"size": 0, "mimeType": "x-unknown"}, True),
        ({"mimeType": "application/json", "text": "{}"}, True),
    ],
)
def test_a_body_that_a_tool_left_out_is_told_from_one_that_was_empty(content: dict[str, Any], has_body: bool) -> None:
    exchange = only(entry(response={"status": 200, "headers": [], "content": content}))
    assert exchange.has_body is has_body


def test_web_sockets_and_data_urls_are_counted_and_aborted_calls_have_no_response() -> None:
    socket = entry(_resourceType="websocket")
    data = entry(request={"method": "GET", "url": "data:text/plain,x", "headers": []})
    aborted = entry(response={"status": 0, "headers": [], "content": {}})
    read = parse_har(har(socket, data, aborted), "f.har")
    assert (read.others, [each.response for each in read.exchanges]) == (2, [None])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"log": {', "f.har is not JSON, so it is not a HAR file"),
        (b"[1]", 'f.har is JSON but not a HAR file: it has no list "log": {"entries": [...]}; export it as HAR 1.2'),
        (har(entry(), {"request": {}}), 'f.har, entry 2: it has no "response", which HAR 1.2 requires'),
        (har(entry(startedDateTime="noon")), "f.har, entry 1: startedDateTime is not an instant"),
        (har(entry(response={"status": "200"})), 'f.har, entry 1: response has no whole number "status"'),
        (
            har(entry(response={"status": 200, "content": {"text": "%", "encoding": "base64"}})),
            "f.har, entry 1, response.content: its text is not base64, as its encoding says",
        ),
    ],
)
def test_a_file_other_than_har_is_refused_with_the_number_of_its_entry(content: bytes, message: str) -> None:
    with pytest.raises(NotHar) as refused:
        parse_har(content, "f.har")
    assert str(refused.value).startswith(message)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotHar) as refused:
        read_har(tmp_path / "none.har")
    assert str(refused.value) == f"{tmp_path / 'none.har'}: No such file or directory"


@pytest.mark.parametrize(("members", "whole"), [({"bodySize": 12}, False), ({"bodySize": 0}, True), ({}, True)])
def test_a_request_whose_body_a_tool_left_out_is_told_from_one_without(members: dict[str, Any], whole: bool) -> None:
    request = {"method": "POST", "url": URL, "headers": [], **members}
    assert only(entry(request=request)).was_sent_whole is whole


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (entry(request={"method": "GET", "url": "https://[::1/v1.1", "headers": []}), "its url is none"),
        (entry(request={"method": "GET", "url": "https://a.example:99999/v1.1", "headers": []}), "its url is none"),
        (entry(request={"method": "GET", "url": URL, "headers": {"Accept": "*/*"}}), "headers are not a list"),
        (entry(request={"method": "GET", "url": URL, "headers": 5}), "headers are not a list"),
        (entry(request={"method": "PUT", "url": URL, "postData": {"params": ["a"]}}), "params are not a list"),
        (entry(response={"status": 200, "headers": [], "content": "[]"}), "content is not an object"),
    ],
)
def test_members_of_another_kind_are_refused_with_the_number_of_their_entry(broken: Any, said: str) -> None:
    with pytest.raises(NotHar, match=f"f.har, entry 2.*{said}"):
        parse_har(har(entry(), broken), "f.har")


def test_a_body_as_it_was_on_the_wire_is_unpacked() -> None:
    text = b64encode(compress(b"[1]")).decode()
    exchange = only(entry(response={"status": 200, "headers": [], "content": {"text": text, "encoding": "base64"}}))
    assert exchange.response is not None
    assert exchange.response.body == b"[1]"


def test_an_entry_that_is_in_the_file_twice_is_one_exchange() -> None:
    other = entry(time=2)
    read = parse_har(har(entry(), entry(), other, entry()), "f.har")
    assert ([each.number for each in read.exchanges], read.repeats, read.others) == ([1, 3], 2, 0)
