"""The first line under the error of a failed test says why, in one sentence, with the line that would change it."""

from __future__ import annotations

import re

import pytest

from giftsim.testing import ControlRefused, Giftsim
from tests.support.application import create_order
from tests.support.pytest_projects import project, run
from tests.support.served_simulator import serve_simulator
from tests.testing.test_traces import names, trace_in

__all__ = ["project"]  # a fixture of theirs

ORDER = """\
import pytest

BODY = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}]}

def place(sim):
    made = sim.call("POST", "/api/external/team-orders", BODY, credential="partner.prepaid").json()
    sim.claim(made)
    return made["team_order"]

def read(sim, order):
    path = f"/api/external/team-orders/{order['id']}"
    return sim.call("GET", path, credential="partner.prepaid").json()["team_order"]
"""
NOT_SUBSCRIBED = """

def test_it(giftsim):
    place(giftsim)
    giftsim.advance("1h")
    giftsim.assert_webhook("team_order.claimed")
"""
NOT_DUE = """

def test_it(giftsim):
    order = place(giftsim)
    giftsim.advance("4d")
    order = read(giftsim, order)
    assert order["status"] == "delivered"
"""


def why_in(result: pytest.RunResult) -> list[str]:
    """The line of the error, and the two lines that follow it, without pytest's mark."""
    lines = result.outlines
    first = next(number for number, line in enumerate(lines) if re.match(r"E +\S", line))
    return [re.sub("^E +", "", line) for line in lines[first : first + 3]]


def test_the_first_line_under_a_failed_check_says_why_and_the_next_is_the_line_that_mends_it(
    project: pytest.Pytester,
) -> None:
    project.makepyfile(ORDER + NOT_SUBSCRIBED)
    error, why, mend = why_in(run(project))
    assert error.endswith("expected a webhook team_order.claimed, found none")
    assert re.match("why: .*team_order.claimed", why)
    assert mend == 'mend: giftsim.subscribe("team_order.claimed")'


def test_a_plain_assertion_is_explained_by_the_values_of_its_line(project: pytest.Pytester) -> None:
    project.makepyfile(ORDER + NOT_DUE)
    error, why, mend = why_in(run(project))
    assert error == "AssertionError: assert 'shipped' == 'delivered'"
    assert why.startswith("why: delivered of order 1001 is due at 2027-01-09T09:00:00Z")
    assert mend == 'mend: giftsim.advance("1d")'


LINES = """

from dataclasses import dataclass

@dataclass
class Row:
    order_id: int
    status: str

class Model:
    def __init__(self, order_id):
        self.order_id, self.status, self.secret = order_id, "new", "hush"

def test_own_tables(giftsim):
    order_id, other = place(giftsim)["id"], {"gift": {"id": "gft_9"}}
    rows, model = [Row(order_id, "new")], Model(order_id)
    assert [row.status for row in rows] == ["shipped", model.status]

def test_answer(giftsim):
    response = giftsim.call("GET", "/api/external/team-orders/7", credential="partner.prepaid")
    assert response.status == 200

def test_count(giftsim):
    with pytest.raises(AssertionError):
        assert 7 == 8
    hooks = giftsim.webhooks()
    assert len(hooks) == 1, "a webhook"

def test_nothing(giftsim):
    with pytest.raises(AssertionError):
        assert 7 == 8
    hooks = []
    assert hooks

def test_helper(giftsim):
    giftsim.assert_webhook("team_order.shipped", times=2, team_order={"id": 1001})
"""


def test_what_the_line_names_is_told(project: pytest.Pytester) -> None:
    project.makepyfile(ORDER + LINES)
    run(project).assert_outcomes(failed=5)
    files = [name for name in names(project.path) if name != "index.html"]
    told = {
        file.partition(".py-")[2].removesuffix(".html"): trace_in(project.path, file)["test"]["failure"]
        for file in files
    }
    row = {"order_id": 1001, "status": "new"}
    assert told["test_own_tables"]["values"] == [[row], row]
    assert told["test_own_tables"]["ids"] == [1001, "gft_9"]
    assert told["test_own_tables"]["compared"] == {"op": "==", "left": ["new"], "right": ["shipped", "new"]}
    [answer] = told["test_answer"]["values"]
    assert (answer["status"], answer["body"]["error"]["code"]) == (404, "team_order_not_found")
    assert told["test_answer"]["compared"] == {"op": "==", "left": 404, "right": 200}
    assert told["test_count"]["compared"] == {"op": "==", "left": 0, "right": 1}
    assert "compared" not in told["test_nothing"]
    data = {"team_order": {"id": 1001}}
    assert told["test_helper"]["expected"] == {"event": "team_order.shipped", "data": data, "count": 2, "found": 0}


def test_a_world_on_a_server_is_explained_by_that_server(project: pytest.Pytester) -> None:
    project.makepyfile(
        (ORDER + NOT_SUBSCRIBED).replace("(giftsim)", "(giftsim_server)").replace("giftsim.", "giftsim_server.")
    )
    with serve_simulator() as served:
        _, why, mend = why_in(run(project, "--giftsim-url", served.banner["origin"]))
    assert re.match("why: .*team_order.claimed", why)
    assert mend == 'mend: giftsim_server.subscribe("team_order.claimed")'


def test_a_run_without_failures_does_not_import_what_explains(project: pytest.Pytester) -> None:
    project.makepyfile(
        ORDER + NOT_DUE.replace("4d", "5d") + NOT_DUE.replace("4d", "5d").replace("giftsim", "giftsim_server")
    )
    project.makeconftest(
        """
        import sys

        def pytest_sessionfinish(session, exitstatus):
            loaded = [name for name in sys.modules if name.startswith("giftsim.workbench.why")]
            print("loaded:", loaded, "giftsim.testing.failed_line" in sys.modules)
        """
    )
    result = run(project, "-s")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*loaded: [[][]] False*"])


@pytest.mark.parametrize(
    ("options", "is_under_the_error"),
    [
        (["--tb=short"], True),
        (["--tb=native"], False),
        (["--giftsim-trace=off"], True),
        (["-p", "xdist", "-n", "1"], True),
        (["--assert=plain"], True),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_it_is_said_in_every_style_of_report_and_without_traces(
    project: pytest.Pytester, options: list[str], is_under_the_error: bool
) -> None:
    project.makepyfile(ORDER + NOT_SUBSCRIBED)
    result = run(project, *options)
    if is_under_the_error:
        assert re.match("why: .*team_order.claimed", why_in(result)[1])
    else:
        result.stdout.fnmatch_lines(["why: *team_order.claimed*", "mend: giftsim.subscribe(*"])
    assert bool(names(project.path)) == ("--giftsim-trace=off" not in options)


def test_another_error_is_explained_only_if_a_cause_is_known(project: pytest.Pytester) -> None:
    project.makepyfile(
        ORDER
        + """

def test_mistake(giftsim):
    giftsim.nothing_like_this()

def test_no_webhook(giftsim):
    place(giftsim)
    giftsim.advance("1h")
    [hook] = giftsim.webhooks("team_order.claimed")
"""
    )
    printed = run(project).stdout.str()
    assert "no cause is known" not in printed
    assert printed.count("\nE       why: ") == 1
    assert re.search("why: .*team_order.claimed", printed)


def test_a_test_asks_why_itself(sim: Giftsim) -> None:
    order = create_order(sim)
    sim.claim(order)
    for named in (order, order.json(), order.json()["team_order"], 1001, "1001"):
        [first, *_] = sim.why("order", named, expected="team_order.claimed")
        assert first["kind"] == "not_subscribed"
        assert first["mend"]["pytest"] == 'giftsim.subscribe("team_order.claimed")'
    with pytest.raises(ControlRefused, match="there is no order '7'"):
        sim.why("order", 7)
    with pytest.raises(ControlRefused, match="did you mean order"):
        sim.why("ordr", 1001)


def test_the_world_of_a_scenario_that_a_test_plays_is_not_taken_for_a_wrong_credential(
    project: pytest.Pytester,
) -> None:
    project.makepyfile("def test_it(giftsim):\n    assert not giftsim.play('partner/bad_addresses')\n")
    result = run(project)
    result.assert_outcomes(failed=1)
    assert "did not reach the world" not in result.stdout.str()
