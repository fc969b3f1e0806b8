"""The walk of a newcomer, which `python -m tools bench newcomer` measures, works. Needs the index of packages."""

from __future__ import annotations

from benchmarks import newcomer, report
from benchmarks.__main__ import chosen
from benchmarks.groups import GROUPS


def test_a_clone_answers_and_the_first_tutorial_leads_to_a_webhook() -> None:
    walk = newcomer.walk_from_clone()
    assert 0 < walk.answer_s < walk.webhook_s


def test_the_package_installs_into_an_empty_project_and_the_test_of_the_readme_passes() -> None:
    assert newcomer.walk_from_pip() > 0


def test_the_walk_is_measured_only_by_its_name_and_its_median_is_written() -> None:
    assert set(GROUPS) - set(chosen([])) == {"newcomer", "large-world"}
    assert chosen(["newcomer"]) == ["newcomer"]
    figure = newcomer.figure("clone to the first answer", [11.0, 14.0, 9.0], 12)
    assert (figure.value, figure.met, figure.against) == ("11.0 s", True, "9.0 to 14.0 s in 3 walks")
    [*_, line] = report.table({"newcomer": [report.row([figure])]})
    assert line == "| clone to the first answer | 11.0 s |  | 12 s or less | 9.0 to 14.0 s in 3 walks |"
