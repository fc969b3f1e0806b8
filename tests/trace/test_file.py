"""The file of a trace: one page without foreign requests, and the data in it."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.workbench.trace.file import UnreadableTrace, read_trace_file, unpack_page
from tests.cli.remote.conftest import CommandLine, address, command_line  # noqa: F401 - fixtures
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO
from tests.support.traces import check_format, trace_of
from tests.support.worlds import World

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def page_of(world: World) -> bytes:
    """The page of a world's trace."""
    response = world.control.get(f"/worlds/{world.id}/trace")
    assert response.status == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    return response.body


def test_the_data_stand_in_an_element_that_others_can_read(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    page = page_of(world).decode()
    found = re.search(
        r'<script type="application/octet-stream;base64" id="giftsim-trace" '
        r'data-version="1" data-entries="(\d+)">(.*?)<',
        page,
    )
    assert found
    data = json.loads(gzip.decompress(b64decode(found[2])))
    check_format(data)
    assert int(found[1]) == len(data["entries"]) == 3
    assert data == trace_of(world) == read_trace_file(page.encode())


def test_the_page_asks_no_one_and_shows_hostile_text_as_text(world: World, partner: PartnerClient) -> None:
    partner.create_order(gift_sender=HOSTILE[:40], recipients=[{"name": HOSTILE, "email": "bo@example.com"}])
    page = page_of(world).decode()
    assert HOSTILE not in page
    assert re.search(r"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ", page)
    assert re.findall(r"(?:src|href)=\"(?!data:)[^\"]*\"", page) == []
    assert "eval(" not in page
    assert "innerHTML" not in page


def test_the_same_world_gives_the_same_bytes(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    assert page_of(world) == page_of(world)


def test_a_later_version_is_refused_with_what_to_do(world: World) -> None:
    page = page_of(world).replace(b'data-version="1"', b'data-version="2"')
    with pytest.raises(UnreadableTrace, match=r"a later version of giftsim wrote it.*update giftsim"):
        unpack_page(page)


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"<html></html>", "it is not a trace"),
        (b'<script type="application/octet-stream;base64" id="giftsim-trace" >aa</script>', "have no version"),
        (
            b'<script type="application/octet-stream;base64" id="giftsim-trace" data-version="1">aaaa</script>',
            "its data are damaged",
        ),
    ],
)
def test_other_files_are_refused(page: bytes, reason: str) -> None:
    with pytest.raises(UnreadableTrace, match=reason):
        read_trace_file(page)


def test_the_command_writes_the_page_and_prints_its_data(command_line: CommandLine, tmp_path: Path) -> None:  # noqa: F811
    command_line.world.partner().create_order()
    file = tmp_path / "trace.html"
    assert command_line.output("trace", "--out", str(file)) == f"wrote {file}\n"
    printed = command_line.output("trace", "--json", str(file))
    assert json.loads(printed) == read_trace_file(file.read_bytes())
    assert json.loads(command_line.output("trace", "--json")) == json.loads(printed)
    assert "--out" in command_line.error("trace")


def test_the_command_refuses_what_is_not_a_trace(tmp_path: Path) -> None:
    file = tmp_path / "other.html"
    file.write_text("<html></html>", encoding="utf-8")
    result = CliRunner().invoke(main, ["trace", "--json", str(file)])
    assert result.exit_code == 2
    assert "it is not a trace" in result.output


def test_the_trace_of_thirty_calls_and_ten_days_is_small(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped")
    orders = [partner.create_order(idempotency_key=f"order-{n}").json()["team_order"]["id"] for n in range(28)]
    for order in orders:
        world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("10d")
    partner.read_order(orders[0])
    assert len(page_of(world)) < 150 * 1024
