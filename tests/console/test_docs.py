"""The documentation in the console: its pages, their links, pictures and code, without a world and without a token."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from giftsim import Simulator
from giftsim.console.documentation import INTERNALS, moved, pages
from giftsim.console.markdown import html
from giftsim.engine.control.access import Access
from tests.support.console import Console

DOCS = Path(__file__).parents[2] / "docs"
HOME = "/console/docs/"


@pytest.fixture(scope="module")
def console() -> Console:
    """A browser at a simulator that asks for a token, which it does not have."""
    return Console(Simulator(fixture="bare", access=Access(token="a secret")))


@pytest.fixture(scope="module")
def shown(console: Console) -> dict[str, str]:
    """The HTML of every page, by its path."""
    found = {}
    for name in pages():
        path = HOME + ("" if name == "index" else name)
        console.open(path)
        assert console.status == 200, path
        found[path] = console.response.text
    return found


def article(text: str) -> str:
    """What a page says."""
    return text.partition('<article class="docs">')[2].partition("</article>")[0]


def test_every_page_of_the_folder_that_the_package_has_is_shown(shown: dict[str, str]) -> None:
    there = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")}
    assert {path.removeprefix(HOME) or "index" for path in shown} == {
        name for name in there if not name.startswith(INTERNALS)
    }


def test_links_lead_to_pages_and_headings_and_pictures_are_there(console: Console, shown: dict[str, str]) -> None:
    anchors = {path: set(re.findall(r' id="([^"]+)"', text)) for path, text in shown.items()}
    linked = [(path, href) for path, text in shown.items() for href in re.findall(r'<a href="([^"]*)"', text)]
    own = [(path, *href.partition("#")[::2]) for path, href in linked if not re.match("https?:", href)]
    assert [each for each in own if each[1] not in {*shown, "/", "/llms.txt"}] == []
    assert [each for each in own if each[2] and each[2] not in anchors[each[1]]] == []
    pictures = {picture for text in shown.values() for picture in re.findall(r'<img src="([^"]+)"', text)}
    assert len(pictures) > 8
    for picture in pictures:
        answer = console.client.call("GET", picture, headers={"Host": "localhost:8080"})
        assert (answer.status, answer.headers["content-type"].partition("/")[0]) == (200, "image"), picture


def test_what_moved_is_gone_from_there_and_is_a_page_or_a_heading_now(shown: dict[str, str]) -> None:
    assert {old for old in moved() if old in pages()} == set()
    for new in moved().values():
        name, _, anchor = new.partition("#")
        assert not anchor or f' id="{anchor}"' in shown[HOME + name], new


def test_a_page_has_no_style_script_or_comment_of_its_own(shown: dict[str, str]) -> None:
    for path, text in shown.items():
        assert article(text), path
        assert re.search(r"<script|<!--|<style|<[^>]* (style|on\w+)=", article(text)) is None, path


def test_the_address_of_a_file_leads_to_its_page_and_another_one_nowhere(console: Console) -> None:
    for address, target in {
        "how-to": "how-to/index",
        "index": "",
        "how-to/undo": "how-to/worlds-and-undo#undo",  # where this page was before
        "how-to/undo.md": "how-to/worlds-and-undo.md#undo",
    }.items():
        answer = console.client.call("GET", HOME + address, headers={"Host": "localhost:8080"})
        assert (
            answer.status,
            answer.headers["location"].partition("localhost:8080")[2] or answer.headers["location"],
        ) == (308, HOME + target)
    for address in (
        "nothing",
        "../CHANGELOG.md",
        "..%2f..%2fpyproject.toml",
        "conf.py",
        "site/presentation.py",
        "x.png",
    ):
        console.open(HOME + address)
        assert console.status == 404, address


def markdown(console: Console, path: str, **headers: str) -> str:
    """The Markdown at an address."""
    answer = console.client.call("GET", path, headers={"Host": "localhost:8080", **headers})
    assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, "text/markdown"), path
    assert answer.headers["vary"].startswith("Accept")
    return answer.text


def test_agents_get_the_markdown_of_a_page_by_its_file_or_by_what_they_accept(console: Console) -> None:
    by_file = markdown(console, HOME + "how-to/move-time.md")
    assert markdown(console, HOME + "how-to/move-time", Accept="text/markdown, text/html;q=0.5") == by_file
    assert by_file.startswith("> All pages of this documentation: http://localhost:8080/llms.txt\n\n# ")
    assert "<!--" not in by_file
    browser = console.client.call(
        "GET", HOME + "how-to/move-time", headers={"Host": "localhost:8080", "Accept": "text/html,*/*;q=0.8"}
    )
    assert browser.headers["content-type"].startswith("text/html")


def test_llms_txt_lists_every_page_by_an_address_of_its_markdown(console: Console, shown: dict[str, str]) -> None:
    answer = console.client.call("GET", "/llms.txt", headers={"Host": "localhost:8080"})
    assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, "text/plain")
    assert answer.text.splitlines()[2].startswith("> giftsim is ")
    listed = re.findall(r"^- \[.+?\]\(http://localhost:8080(\S+)\.md\)", answer.text, re.MULTILINE)
    assert sorted(listed) == sorted(f"{path}index" if path == HOME else path for path in shown)


def test_the_links_of_markdown_lead_to_markdown(console: Console) -> None:
    for name in pages():
        text = markdown(console, f"{HOME}{name}.md")
        for link in re.findall(
            r"\]\(http://localhost:8080(/[^)#]+)", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        ):
            assert link.removeprefix(HOME).removesuffix(".md") in pages() or link.endswith((".svg", ".png")), (
                name,
                link,
            )


def test_markdown_has_no_link_to_what_is_not_served(console: Console) -> None:
    text = markdown(console, f"{HOME}index.md")
    assert "](http://localhost:8080/console/docs/overview.svg)" in text
    assert re.findall(r"\]\((?!https?://)[^)]+\)", text) == []
    assert "](../" not in text


def test_markdown_becomes_html_with_anchors_marked_code_and_plain_files_of_the_sources() -> None:
    links, table = "[page](x.md) [file](../tools/x.py)", "| a |\n| -: |\n| b<br>c |"
    text = f'## A `b`\n## A `b`\n{links}\n\n```json test\n{{"a": 1}}\n```\n<!-- c -->\n{table}\n'
    page = html(text, lambda link: f"/docs/{link}" if link.endswith(".md") else None)
    assert '<h2 id="a-b">' in page
    assert '<h2 id="a-b-1">' in page
    assert '<a href="/docs/x.md">page</a> <span title="tools/x.py, in the sources">file</span>' in page
    assert "<b>&#34;a&#34;</b>: <var>1</var>" in page
    assert '<td class="number">b<br>c</td>' in page
    assert "<!--" not in page


def test_commands_call_the_simulator_that_shows_them_and_can_be_copied(console: Console) -> None:
    console.open(f"{HOME}how-to/make-things-go-wrong")
    copied = [given["data-copy"] for tag, given in console.page.elements if tag == "button" and "data-copy" in given]
    assert copied[0].startswith("S=http://localhost:8080\n")
    assert "127.0.0.1:8080" not in console.page.text
    assert not [text for text in copied if text.startswith("no response")]  # which is output
