"""The index of many traces."""

from __future__ import annotations

from giftsim.workbench.trace.index_page import Summary, index_page, summarize_trace
from tests.support.api_clients import PartnerClient
from tests.support.traces import trace_of
from tests.support.worlds import World


def test_it_lists_tests_by_outcome_the_slowest_and_what_they_met() -> None:
    page = index_page(
        [
            Summary("b.html", "test_b", "passed", 0.5, 9, operations={"createTeamOrder": 2}),
            Summary("c.html", "test_c", "failed", 1.0, 4, "assert 2 == 1", why="Nobody subscribed"),
            Summary(
                "a.html", "test_<a>", "failed", 2.0, 4, "assert 1 == 2", {"createTeamOrder": 1}, {"404 not_found": 3}
            ),
        ]
    ).decode()
    assert "<title>Traces: 2 failed, 1 passed</title>" in page
    assert page.index('id="failed"') < page.index('id="passed"') < page.index('id="slowest"')
    assert '<a href="a.html">test_&lt;a&gt;</a></td><td>assert 1 == 2</td><td>2.00</td><td>4</td>' in page
    assert '<td>Nobody subscribed<br><span class="soft">assert 2 == 1</span></td>' in page
    assert "<code>createTeamOrder</code></td><td>3</td>" in page
    assert "<code>404 not_found</code></td><td>3</td>" in page
    assert "default-src 'none'" in page
    assert "<script" not in page


def test_a_summary_counts_operations_and_names_errors(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    partner.get("/team-orders/7")
    partner.get("/nowhere")
    summary = summarize_trace("trace.html", trace_of(world))
    assert summary.operations == {"createTeamOrder": 1, "getTeamOrder": 1}
    assert sum(summary.errors.values()) == 2
    assert "404 not_found" in summary.errors
