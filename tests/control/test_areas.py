"""Handlers of the control API are found where they are written; what is missing or there twice is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim.build import CONTRACTS
from giftsim.engine.control.areas import handlers, homes
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import BadContract
from giftsim.services.known import merged_service

CONTRACT = Contract.load(CONTRACTS["control"])
HANDLER = "def get_health(call: Call) -> Response:\n    ...\n"


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose packages can be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_every_operation_of_the_contract_has_a_handler() -> None:
    assert list(handlers(CONTRACT, merged_service().areas)) == list(CONTRACT.operations)


def test_a_module_has_only_its_own_operations() -> None:
    assert set(homes(CONTRACT, ["giftsim.engine.control.diff"]).items()) == {
        ("diffWorlds", "giftsim.engine.control.diff")
    }


def test_an_operation_with_two_handlers_is_refused(packages: Path) -> None:
    folder = packages / "areas_with_two"
    folder.mkdir()
    for name in ("__init__", "one", "other"):
        (folder / f"{name}.py").write_text(f'"""An area."""\n{HANDLER if name != "__init__" else ""}')
    with pytest.raises(
        BadContract, match=r"^getHealth: areas_with_two.one and areas_with_two.other have a function get_health$"
    ):
        homes(CONTRACT, ["areas_with_two"])


def test_an_area_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadContract, match=r"^there is no package or module giftsim_without_areas$"):
        homes(CONTRACT, ["giftsim_without_areas"])
