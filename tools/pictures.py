"""Takes the pictures: `python -m tools pictures` fills build/pictures, and with `--docs` docs/pictures too."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from PIL import Image

from giftsim import Simulator
from tests.support.browser import browser_program
from tests.support.console import Console
from tests.support.console_pages import console_pages
from tests.support.console_story import step_through
from tests.support.failing_tests import traces_of_failing_tests
from tests.support.listening import listening
from tools.command_pictures import take_commands

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
ALL, SHOWN = ROOT / "build" / "pictures", ROOT / "docs" / "pictures"
SIZES = {"wide": (1440, 900), "phone": (390, 844)}
SCHEMES = ("light", "dark")
SHOWN_SIZE = (1440, 900)
# What a link to the documentation shows elsewhere: it has the picture of the console's home in it.
SITE = ROOT / "docs" / "site"
SOCIAL, SOCIAL_SIZE = SITE / "static" / "social.png", (1200, 630)
SHOWN_ORIGIN = "http://127.0.0.1:8080"
COLOURS = 256  # of a picture of the documentation: half the bytes, and no difference to see
# What the README and the pages show: the name of the picture, and the page.
DOCS = {
    "home": "home.show",
    "webhook": "webhooks.event",
    "journey": "orders.one",
    "scenario": "scenarios.session",
    "present": "present.show",
}
# The traces that are shown: the name of the picture, the failed test, and the entry.
TRACES = {"trace": ("test_charged_once", 5), "trace-webhook": ("test_told", 15)}


def main() -> None:
    """Take all pictures, and say where they are."""
    parser = argparse.ArgumentParser(prog="python -m tools pictures", description=__doc__)
    parser.add_argument("--docs", action="store_true", help="also write the pictures of the documentation")
    parser.add_argument("--commands", action="store_true", help="in place of pages, what commands print in a terminal")
    parser.add_argument("--only", default="", help="only pages whose endpoint, or sheets whose name, has this text")
    options = parser.parse_args()
    program = browser_program()
    if program is None:
        raise SystemExit("no Chromium on this machine; install Debian's package chromium")
    simulator = Simulator()
    with listening(simulator), started_browser(program) as browser:
        origin = simulator.registry.runtime.origin
        simulator.registry.runtime.origin = SHOWN_ORIGIN
        pages = demo_pages(simulator)
        ALL.mkdir(parents=True, exist_ok=True)
        if options.commands:
            take_commands(browser, origin, pages["home.show"].split("/")[2], ALL, options.only)
            return
        chosen = {name: path for name, path in pages.items() if path and options.only in name}
        for (name, path), (size, pixels), scheme in product(chosen.items(), SIZES.items(), SCHEMES):
            picture = ALL / f"{name}-{size}-{scheme}.png"
            take(browser, origin + path, pixels, scheme, picture, whole=True)
        print(f"{len(chosen) * len(SIZES) * len(SCHEMES)} pictures in {ALL.relative_to(ROOT)}")
        if options.docs:
            SHOWN.mkdir(exist_ok=True)
            for name, endpoint in DOCS.items():
                picture = SHOWN / f"{name}.png"
                take(browser, origin + pages[endpoint], SHOWN_SIZE, "light", picture, whole=False)
            take_traces(browser)
            take(browser, SITE.joinpath("social.html").as_uri(), SOCIAL_SIZE, "dark", SOCIAL, whole=False)
            for picture in (*sorted(SHOWN.glob("*.png")), SOCIAL):
                with_few_colours(Image.open(picture)).save(picture, optimize=True)
            print(f"{len(DOCS) + len(TRACES)} pictures in {SHOWN.relative_to(ROOT)}, and {SOCIAL.relative_to(ROOT)}")


def with_few_colours(picture: Image.Image) -> Image.Image:
    """The picture with the colours that are most frequent, and those that cover the rest: small marks keep theirs."""
    drawn, half = picture.convert("RGB"), COLOURS // 2
    counted = drawn.getcolors(drawn.width * drawn.height) or []
    frequent = [
        value for _, colour in sorted(counted, reverse=True)[:half] for value in cast("tuple[int, ...]", colour)
    ]
    rest = drawn.quantize(half, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*frequent, *rest])
    return drawn.quantize(palette=palette, dither=Image.Dither.NONE)


def take_traces(browser: Browser) -> None:
    """Write the pictures of the traces that failing tests leave."""
    with TemporaryDirectory() as folder:
        traces = traces_of_failing_tests(Path(folder))
        for name, (test, n) in TRACES.items():
            file = Path(folder) / f"{test}.html"
            file.write_text(traces[test], encoding="utf-8")
            take(browser, f"{file.as_uri()}#n={n}", SHOWN_SIZE, "light", SHOWN / f"{name}.png", whole=False)


def demo_pages(simulator: Simulator) -> dict[str, str]:
    """The address of every page in a world where the demo was played, and of a claim page."""
    console = Console(simulator)
    console.open("/")
    console.press("Play the demo")
    console.world = console.path.split("/")[2]
    pages = console_pages(console)
    pages["scenarios.session"] = step_through(simulator, name="partner.declined_card")
    fork = simulator.client.call("POST", f"/_sim/v1/worlds/{console.world}/fork", body={"id": "what-if"}).json()["id"]
    simulator.client.call("POST", f"/_sim/v1/worlds/{fork}/clock/advance", body={"by": "2d"})
    pages["compare.show"] = f"/w/{console.world}/compare?with={fork}"
    control = f"/_sim/v1/worlds/{console.world}"
    (event, *_) = simulator.client.call("GET", f"{control}/events?status=pending&order=newest").json()["events"]
    pages["webhooks.event"] = f"/w/{console.world}/webhooks/{event['id']}"
    order = event["about"]["id"]
    pages["orders.one"] = f"/w/{console.world}/orders/order/{order}"
    pages["present.show"] = f"/w/{console.world}/present?about=order:{order}"
    link = simulator.client.call("GET", f"{control}/mail").json()["mail"][-1]["links"][0]
    return {**pages, "claim": "/claim/" + link.partition("/claim/")[2]}


@contextmanager
def started_browser(program: str) -> Iterator[Browser]:
    """The browser of this machine."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


def take(browser: Browser, url: str, size: tuple[int, int], scheme: str, file: Path, *, whole: bool) -> None:
    """Write a picture of a page, or of what a window of this size shows of it."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )  # fmt: skip
    page: Page = context.new_page()
    page.goto(url)
    page.screenshot(path=file, full_page=whole)
    context.close()


if __name__ == "__main__":
    main()
