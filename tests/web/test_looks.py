"""Every page in a real Chromium, as axe sees it: light and dark, wide and narrow."""

from typing import TYPE_CHECKING

import pytest

from browser import AXE, PAGES, Site

if TYPE_CHECKING:
    from playwright import sync_api

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # Playwright's own pipes at its end

LOOK_THROUGH = """async () => {
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const {violations} = await axe.run({runOnly});
    return violations.map((one) => [one.id, one.nodes.map((node) => node.html)]);
}"""


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: npm ci in tests/peers")
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    site: Site, chromium: "sync_api.Browser", name: str
) -> None:
    context = chromium.new_context(
        reduced_motion="reduce", bypass_csp=True
    )  # axe comes as a script from outside
    context.set_default_timeout(60_000)
    page = context.new_page()
    PAGES[name](site, page)
    page.add_script_tag(path=AXE)
    for scheme, width in (("light", 1000), ("dark", 320)):  # what is light or dark does not hang on the width
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(LOOK_THROUGH) == [], f"{scheme}, {width} pixels wide"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
