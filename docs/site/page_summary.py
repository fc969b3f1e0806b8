"""What a page is, in its title and one line: for search engines, for the cards of links to it, and for `llms.txt`."""

import re

from docutils import nodes

SENTENCE = re.compile(r".+?[.!?](?: |$)|.+$")
SHORT = 60


def title(page: nodes.document) -> str:
    """The page's heading, as text."""
    heading = page.next_node(nodes.title)
    return heading.astext() if heading is not None else ""


def summary(page: nodes.document) -> str:
    """The first sentence of the page's first paragraph, and further ones while they are short."""
    paragraph = page.next_node(lambda node: isinstance(node, nodes.paragraph) and _is_prose(node))
    text = " ".join(paragraph.astext().split()) if paragraph is not None else ""
    said = ""
    for sentence in SENTENCE.findall(text):
        if len(said) >= SHORT:
            break
        said += sentence
    return re.sub(r":$", ".", said.strip())


def _is_prose(paragraph: nodes.Node) -> bool:
    return isinstance(paragraph.parent, nodes.section | nodes.document)
