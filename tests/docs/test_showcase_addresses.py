"""What the examples of the documentation send and look up is not in the default fixture's showcase records."""

from __future__ import annotations

import re
from collections.abc import Callable

from giftsim.cli.serve import BANNER
from tests.docs.pages import DOCS, ROOT
from tests.support.worlds import World

EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
STREET = re.compile(r'"?address1"?: "?([^",}]+)')
FIXTURES = ("default.yaml", "roster.yaml")


def example_texts() -> str:
    """Every page a user reads, the examples and the banner."""
    pages = [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *sorted((ROOT / "examples").glob("*.py"))]
    return "\n".join([*(page.read_text(encoding="utf-8") for page in pages), BANNER])


def fixture_texts() -> str:
    """The files from which a default world is made."""
    return "\n".join((ROOT / "fixtures" / name).read_text(encoding="utf-8") for name in FIXTURES)


def test_no_showcase_record_has_an_email_address_of_the_examples(new_world: Callable[..., World]) -> None:
    world = new_world(fixture="default")
    sent = {mail["to"] for mail in world.rows("mail")}
    shipped = {parcel["email"] for parcel in world.rows("parcels") if parcel["email"]}
    showcase = {*EMAIL.findall(fixture_texts()), *sent, *shipped}
    assert len(showcase) > 50
    examples = set(EMAIL.findall(example_texts()))
    assert "bo@example.com" in examples
    assert showcase & examples == set()


def test_no_showcase_record_has_a_street_of_the_examples() -> None:
    examples, showcase = set(STREET.findall(example_texts())), set(STREET.findall(fixture_texts()))
    assert "1 Main St" in examples
    assert len(showcase) > 3
    assert showcase & examples == set()
