"""Configuration of the documentation site, which `make docs` builds with Sphinx, MyST and Furo.

The pages are plain Markdown that reads well without the site. Each index page lists its pages once, as ordinary links;
the site's navigation is made from these lists, and the build fails for a page that is in none. What the site adds is in
the folder `site`: its look, the comments that it reads, and the Markdown beside each page.
"""

import os
import re
import sys
import tomllib
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "site"))

project = "giftsim"
copyright = "The giftsim authors"  # noqa: A001 - Sphinx's name for it
release = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser", "sphinx_copybutton", "presentation", "markdown_copies", "moved_pages", "versions"]
html_theme = "furo"
html_title = "giftsim"
# Where the site will be: links to its pages from elsewhere are whole only if it is known.
html_baseurl = os.environ.get("GIFTSIM_DOCS_URL", "")
html_favicon = "site/static/favicon.svg"
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(HERE / "site" / "search_order.js")
templates_path = ["site/templates"]
html_permalinks_icon = ""  # site.css shows it, so that the text of a heading is the page's own
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
FRONTEND = HERE.parent / "simulator" / "giftsim" / "frontend"
html_static_path = ["site/static", "../simulator/giftsim/console/static/inter-latin.woff2"]
html_context = {"mark": (FRONTEND / "mark.svg").read_text(encoding="utf-8")}
# The colours of the console, by those of the theme.
COLOURS = {
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "soft",
    "color-foreground-muted": "faint",
    "color-foreground-border": "line",
    "color-background-primary": "card",
    "color-background-secondary": "page",
    "color-background-hover": "hover",
    "color-background-border": "rule",
    "color-brand-primary": "accent-ink",
    "color-brand-content": "ink",
    "color-brand-visited": "ink",
    "color-link": "ink",
    "color-link--visited": "ink",
    "color-link--hover": "ink",
    "color-link--visited--hover": "ink",
    "color-link-underline": "line",
    "color-link-underline--visited": "line",
    "color-link-underline--hover": "ink",
    "color-link-underline--visited--hover": "ink",
    "color-inline-code-background": "sunk",
    "color-code-background": "sunk",
    "color-highlight-on-target": "wait-page",
    "color-card-border": "rule",
    "color-card-background": "card",
}
TOKEN = re.compile(r"--([\w-]+): light-dark\(([^,)]+), ([^)]+)\)")
TOKENS = {name: pair for name, *pair in TOKEN.findall((FRONTEND / "look.css").read_text(encoding="utf-8"))}
LIGHT, DARK = ({name: TOKENS[token][scheme] for name, token in COLOURS.items()} for scheme in (0, 1))
html_theme_options = {
    "light_css_variables": {
        "font-stack": "Inter, system-ui, sans-serif",
        "font-stack--monospace": 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
        **LIGHT,
    },
    "dark_css_variables": DARK,
}
exclude_patterns: list[str] = ["mocks"]
myst_heading_anchors = 4
pygments_style = "a11y-high-contrast-light"

LINK = re.compile(r"^- \[[^\]]+\]\(([\w/-]+)\.md\)", re.MULTILINE)


# Pages of the site whose text is a file at the root of the repository.
ROOT_PAGES = {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md", "security": "SECURITY.md"}
TARGET = re.compile(r"(?<=\]\()(?!https?:|#)(docs/)?([^)\s]+)(?=\))")


def show_root_pages(app: Sphinx, docname: str, source: list[str]) -> None:
    """Show the files at the root of the repository as pages, and lead links to these pages."""
    if docname in ROOT_PAGES:
        text = Path(app.srcdir, "..", ROOT_PAGES[docname]).read_text(encoding="utf-8")
        source[0] = TARGET.sub(lambda link: link[2] if link[1] else f"../{link[2]}", text)
    up = "../" * docname.count("/")
    for page, file in ROOT_PAGES.items():
        source[0] = source[0].replace(f"]({up}../{file}", f"]({up}{page}.md")


def add_navigation(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Add the pages that an index page lists to the navigation."""
    if docname.rpartition("/")[2] == "index":
        pages = "\n".join(LINK.findall(source[0]))
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def setup(app: Sphinx) -> None:
    """Connect the above."""
    app.connect("source-read", show_root_pages, priority=500)
    app.connect("source-read", add_navigation, priority=700)
