"""A copy resolves names with the registry away, in pages that look like the registry's."""

import shutil
from dataclasses import replace
from pathlib import Path

from flask import Flask

from app.bundles.mirror import mirror_registry
from app.exports.manifests.bundle_paths import SHELL
from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.outside.http_fetcher import Fetcher
from app.pages.site.chrome import Chrome, NavigationLink
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from tests import factories
from tests.front.test_connections import serving
from tests.published.bundles import ask as answer_of
from tests.published.bundles import contents
from tests.published.loopback import serve
from tests.published.rules import bundle_of, shipped_rules
from tests.published.test_names import HTML, ask
from tests.published.wsgi_site import PublishedWsgi

HOME = "https://registry.example"


def test_a_copy_resolves_names_while_the_registry_is_away(tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    chrome = Chrome(
        canonical=HOME, nav=(NavigationLink("Registry", "/assignments/urn-namespaces/"),)
    )
    shell = factories.making().site.shell(chrome, "/assignments/urn-namespaces/").encode()
    files = {**contents(1), SHELL: ("text/plain; charset=utf-8", shell)}
    bundle_of(shipped_rules(), files, registry=HOME).lay_out(source)
    with (
        serve(PublishedWsgi(PublishedPlane(source))) as site,
        Fetcher(timeout=20, deadline=60) as fetch,
    ):
        mirror_registry(site, copy, fetch)
    shutil.rmtree(source)
    with serving(ConnectionLimits(), create_asgi_of_copy(copy)) as port:
        led = ask(port, "/urn:isbn:978-951-0-18435-6?=page=2")
        assert led.headers["location"] == "http://urn.fi/URN:ISBN:978-951-0-18435-6?=page=2"
        page = ask(port, "/names/urn:isbn:978-951-0-18435-6", accept=HTML).body.decode()
        assert page.count("<h1>") == page.count("<main") == page.count('rel="canonical"') == 1
        assert '<a href="/assignments/urn-namespaces/">Registry</a>' in page
        assert "<title>urn:isbn:978-951-0-18435-6 – URN Registry</title>" in page
        wrong = ask(port, "/urn:isbn:1?<script>", accept=HTML)
        assert wrong.status == 400
        assert b"<script>" not in wrong.body
        assert b"--title--" not in wrong.body


def test_each_host_lays_out_the_shell_of_its_pages(app: Flask, tmp_path: Path) -> None:
    edition_build.build_pending(None, factories.PLACE)
    making = factories.making()
    lists = NavigationLink("URNs", "/assignments/urn-namespaces/")
    making = replace(making, chrome=replace(making.chrome, nav=(lists,)))
    publication.lay_out_newest(tmp_path, making, URN_GROUP)
    shell = answer_of(PublishedPlane(tmp_path), SHELL)
    assert (shell.status, shell.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    for mark in (b"<!--head-->", b"<!--main-->"):
        assert shell.body.count(mark) == 1
    for place in (b"<title><!--title-->", b'property="og:title" content="<!--title-->"'):
        assert shell.body.count(place) == 1
    assert shell.body.count(b"<!--title-->") == 2
    assert b'rel="canonical"' not in shell.body
    assert b'<a href="/assignments/urn-namespaces/" aria-current="true">' in shell.body
    assert b"<!--numbers" not in shell.body
