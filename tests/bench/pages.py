"""How fast pages are to the eye: ten of them in Chromium, as on a phone that is slow and far away.

Each is opened some times with nothing kept from before, the processor slowed down and the network
narrowed; the median is told. ``python -m tests.bench.pages [ADDRESS]``: without an address a
demonstration is set up and started.
"""

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.bench.servers import ROOT
from tests.running.sites import free_port

PATHS = (
    *("/", "/assignments/urn-namespaces/", "/namespaces/isbn", "/assignments/naans/"),
    *("/naans/12148", "/editions/", "/requests/", "/requests/1", "/help/", "/tools/urn"),
)
ROUNDS = 3
SLOWER = 4  # times, the processor
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 // 8,
    "uploadThroughput": 750_000 // 8,
}
MEASURE = """() => new Promise(done => {
  let shift = 0, largest = 0;
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) shift += one.value;
  }).observe({type: "layout-shift", buffered: true});
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) largest = one.startTime;
  }).observe({type: "largest-contentful-paint", buffered: true});
  const all = performance.getEntriesByType("resource");
  setTimeout(() => done([
    performance.getEntriesByName("first-contentful-paint")[0].startTime, largest, shift,
    all.filter(one => one.initiatorType === "script" && one.renderBlockingStatus === "blocking")
      .length,
    [performance.getEntriesByType("navigation")[0], ...all]
      .reduce((sum, one) => sum + one.transferSize, 0),
  ]), 300);
})"""


class PageFigures(NamedTuple):
    """What was measured of a page: milliseconds, a shift, a number of scripts, octets."""

    first_paint: float
    largest_paint: float
    shift: float
    blocking_scripts: float
    octets: float


def measured(browser: Browser, address: str) -> PageFigures:
    """A page as it comes to a phone that has nothing of it."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=2)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="load")
    found = PageFigures(*page.evaluate(MEASURE))
    context.close()
    return found


def figures(browser: Browser, address: str) -> PageFigures:
    """The medians of some rounds."""
    rounds = [measured(browser, address) for _ in range(ROUNDS)]
    return PageFigures(*map(median, zip(*rounds, strict=True)))


@contextmanager
def demonstration() -> Iterator[str]:
    """A site as a newcomer starts it; its address, once it has published what it has."""
    with TemporaryDirectory() as folder:
        address = f"http://127.0.0.1:{free_port()}"
        settings = {"URN_REGISTRY_DATA_DIR": folder, "URN_REGISTRY_BASE_URL": address}
        environment = os.environ | settings
        command = [sys.executable, "-m", "app.cli"]
        subprocess.run([*command, "init", "--demo"], env=environment, cwd=ROOT, check=True)
        serve = [*command, "serve", "--demo", "--port", address.rpartition(":")[2]]
        with subprocess.Popen(serve, env=environment, cwd=ROOT) as server:
            try:
                for path in PATHS:
                    _wait_for(address + path)
                yield address
            finally:
                server.terminate()


def _wait_for(address: str) -> None:
    until = time.monotonic() + 300
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(1)


def tell(address: str) -> None:
    """Print the figures of each page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for path in PATHS:
            of = figures(browser, address + path)
            sys.stdout.write(
                f"{path}: first paint {of.first_paint:.0f} ms, largest {of.largest_paint:.0f} ms, "
                f"shift {of.shift:.3f}, {of.blocking_scripts:.0f} blocking scripts, "
                f"{of.octets / 1000:.0f} KB\n"
            )


if __name__ == "__main__":
    if sys.argv[1:]:
        tell(sys.argv[1].rstrip("/"))
    else:
        with demonstration() as started:
            tell(started)
