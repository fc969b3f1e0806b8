"""A service that differs from giftsim in known ways: each way is found, and nothing else."""

from __future__ import annotations

from tests.compare.planted import PLANTED
from tests.compare.service import compare, found, run_service


def test_every_planted_difference_is_found_and_none_is_invented() -> None:
    with run_service(PLANTED.values()) as service:
        result = compare(service.origin, "--json")
    assert result.exit_code == 1, result.output
    assert found(result) == sorted(PLANTED)


def test_an_equal_service_with_another_seed_has_no_differences_also_when_it_has_records_of_an_earlier_run() -> None:
    again = ["scenarios/partner/order_and_back.yaml", "scenarios/team/test_key_setup.yaml"]
    with run_service(seed=99) as service:
        results = [compare(service.origin, "--json", "--spend", *files) for files in ([], again)]
    assert [(result.exit_code, found(result)) for result in results] == [(0, []), (0, [])], results[0].output


def test_each_difference_names_its_place_in_the_file_and_the_contract_and_what_it_rests_on() -> None:
    changes = [PLANTED["createSpecialEvent", "status", "status"], PLANTED["buyMuseumTickets", "extra_member", "$.seat"]]
    with run_service(changes) as service:
        result = compare(service.origin, "scenarios/museum/whole_visit.yaml")
    lines = result.stdout.splitlines()
    assert lines[0] == "createSpecialEvent  POST /v1.1/special-events  (museum)"
    assert lines[1] == "  status: giftsim 201, the service 200  [C1 public sample]"
    assert lines[2] == "    scenarios/museum/whole_visit.yaml:14: step 3, POST /v1.1/special-events as museum"
    assert lines[4] == "buyMuseumTickets  POST /v1.1/tickets  (museum)"
    assert lines[5] == "  $.seat, extra member: giftsim absent, the service a text  [C1 public sample]"
    assert lines[6].endswith("as museum, and 1 more place")
    assert lines[-1] == f"2 differences in 2 operations: 15 calls of 1 scenario compared with {service.origin}"
