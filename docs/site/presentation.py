"""What the site makes of comments in its pages, and what it adds to their heads.

<!-- cards -->                          the list below is shown as cards
<!-- questions: rotate a secret; … -->  what a reader may ask that this section answers, in other words than its own
"""

import re
from typing import Any

from docutils import nodes
from page_summary import summary
from sphinx.application import Sphinx

COMMENT = re.compile(r"<!-- (?:(cards)|questions: (.+?)) -->", re.DOTALL)
WORDY, PROSE = 18, 40  # characters in a table's cell: from how many on its column may not become narrow


class question(nodes.title):  # noqa: N801  docutils names the methods that visit a node after its class
    """A question that a section answers: the search finds it as if it were a heading, and the page does not show it."""


def leave_out(_writer: Any, _node: nodes.Node) -> None:
    """Write nothing."""
    raise nodes.SkipNode


def read_comments(_app: Sphinx, page: nodes.document) -> None:
    """Carry out the comments of a page."""
    for comment in list(page.findall(nodes.raw)):
        if (said := COMMENT.fullmatch(comment.astext().strip())) is None:
            continue
        if said[1]:
            comment.next_node(nodes.bullet_list, siblings=True, descend=False)["classes"].append("cards")
            comment.parent.remove(comment)
        else:
            asked = (" ".join(each.split()) for each in said[2].split(";"))
            comment.replace_self([question(each, each) for each in asked])


def mark_columns(_app: Sphinx, page: nodes.document) -> None:
    """Mark the cells of the columns that have sentences, which need room, and of those with a few words."""
    for table in page.findall(nodes.tgroup):
        columns: dict[int, list[nodes.entry]] = {}
        for row in table.findall(nodes.row):
            for n, cell in enumerate(row.children):
                columns.setdefault(n, []).append(cell)
        for cells in columns.values():
            longest = max(len(cell.astext()) for cell in cells)
            kind = "prose" if longest >= PROSE else "words" if longest >= WORDY else ""
            for cell in cells:
                cell["classes"] += [kind] if kind else []


def describe(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], page: nodes.document | None) -> None:
    """Tell the page's template what it is about, and where its Markdown is."""
    card, base = "_static/social.png", app.config.html_baseurl.rstrip("/")
    context["social_card"] = f"{base}/{card}" if base else context["pathto"](card, 1)
    context["description"] = summary(page) if page is not None else ""
    context["markdown"] = f"{pagename.rpartition('/')[2]}.md" if page is not None else ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the above."""
    app.add_node(question, html=(leave_out, None))
    app.connect("doctree-read", read_comments)
    app.connect("doctree-read", mark_columns)
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
