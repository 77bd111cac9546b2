"""The page of a registered name leads to the list of names under it, once there are prefixes."""

from pathlib import Path

import pytest
from flask import Flask

from app.bundles.layout import current_files, current_manifest
from app.bundles.scrub import scrub_of
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.bundle_paths import blob_path
from app.registration.declarations.registry_groups import GROUPS, NAAN_GROUP, URN_GROUP
from app.services.assigned_names import prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.editions import edition_build, publication
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast


class Host:
    """A host that lays editions out, as its worker does."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder, self.clock = folder, clock

    def publish(self) -> list[int | None]:
        """The numbers of the editions that were laid out whole."""
        edition_build.build_pending(self.clock.on(minutes=1), factories.PLACE)
        making = factories.making()
        groups = GROUPS.values()
        return [publication.lay_out_newest(self.folder, making, one) for one in groups]

    def files(self, group: str = "") -> dict[str, BundleFile]:
        """The files of a group by their paths."""
        manifest = current_manifest(self.folder / group)
        assert manifest is not None
        return {one.path: one for one in current_files(self.folder / group, manifest)}

    def page(self, path: str, group: str = "") -> str:
        """A page as it is published."""
        file = self.files(group)[path]
        return (self.folder / group / blob_path(file.sha256)).read_text()


@pytest.fixture
def host(tmp_path: Path, clock: Clock) -> Host:
    return Host(tmp_path, clock)


def add(people: Cast, text: str, clock: Clock) -> None:
    """Let somebody hold a prefix."""
    by = factories.command(people.operator, clock())
    prefixes.add_prefix(by, text, people.registrant.email, PrefixRules())


def test_the_page_of_a_namespace_leads_to_the_names_under_it_once_there_is_a_prefix(
    quokka: Cast, clock: Clock, host: Host
) -> None:
    link = 'href="/names/under/urn:quokka:"'
    host.publish()
    before = host.files()
    assert link not in host.page("/namespaces/quokka")
    add(quokka, "urn:quokka:boats:", clock)
    assert host.publish() == [None, None]  # nothing but some pages had to be made
    assert link in host.page("/namespaces/quokka")
    after = host.files()
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed - {"/"} == {"/namespaces/quokka"}
    made = current_manifest(host.folder)
    add(quokka, "urn:quokka:ships:", clock)  # for which no page says more
    host.publish()
    assert current_manifest(host.folder) == made


def test_each_further_name_that_gets_a_prefix_has_its_page_made_anew(
    quokka: Cast, clock: Clock, host: Host
) -> None:
    factories.registered(quokka, clock.on(minutes=1), namespace_identifier="wombat")
    host.publish()
    for name in ("quokka", "wombat"):  # in the order of their keys
        add(quokka, f"urn:{name}:boats:", clock)
        assert host.publish() == [None, None]
        assert f'href="/names/under/urn:{name}:"' in host.page(f"/namespaces/{name}")


def test_a_page_that_is_made_anew_has_all_that_a_new_host_has_on_it(
    quokka: Cast, clock: Clock, host: Host, tmp_path: Path
) -> None:
    """The versions and the history of the name among it."""
    host.publish()
    add(quokka, "urn:quokka:boats:", clock)
    assert host.publish() == [None, None]
    other = Host(tmp_path / "other", clock)
    other.publish()
    assert host.page("/namespaces/quokka") == other.page("/namespaces/quokka")


def test_a_page_that_was_damaged_leads_to_the_names_again_when_it_is_mended(
    quokka: Cast, clock: Clock, host: Host
) -> None:
    add(quokka, "urn:quokka:boats:", clock)
    host.publish()
    page = host.page("/namespaces/quokka")
    assert 'href="/names/under/urn:quokka:"' in page
    digest = host.files()["/namespaces/quokka"].sha256
    (host.folder / blob_path(digest)).write_bytes(b"damaged")
    scrub_of.cache_clear()
    assert publication.mend(host.folder, factories.making(), clock(), URN_GROUP) > 0
    assert host.page("/namespaces/quokka") == page


def test_the_page_keeps_its_link_in_the_editions_that_follow(
    quokka: Cast, clock: Clock, host: Host
) -> None:
    host.publish()
    add(quokka, "urn:quokka:boats:", clock)
    factories.registered(quokka, clock.on(minutes=1), namespace_identifier="numbat")
    assert host.publish()[0] is not None  # a new edition, with pages of the one before
    assert 'href="/names/under/urn:quokka:"' in host.page("/namespaces/quokka")
    assert "/names/under/" not in host.page("/namespaces/numbat")


def test_the_pages_of_a_naan_and_a_shoulder_lead_to_the_names_under_each(
    quokka: Cast, clock: Clock, host: Host
) -> None:
    naan = factories.registered_naan(quokka, clock.on(minutes=1))
    factories.registered_shoulder(quokka, clock.on(minutes=1), f"{naan}/x5")
    host.publish()
    group = NAAN_GROUP.folder
    for path in (f"/naans/{naan}", f"/naans/{naan}/x5"):
        assert "/names/under/" not in host.page(path, group)
    add(quokka, f"ark:{naan}/x5b", clock)
    host.publish()
    assert f'href="/names/under/ark:{naan}%2F"' in host.page(f"/naans/{naan}", group)
    assert f'href="/names/under/ark:{naan}%2Fx5"' in host.page(f"/naans/{naan}/x5", group)


def test_who_is_signed_in_is_led_to_the_names_as_everybody_else(
    quokka: Cast, clock: Clock, app: Flask
) -> None:
    def page() -> str:
        return app.test_client().get("/namespaces/quokka").get_data(as_text=True)

    assert "/names/under/" not in page()
    add(quokka, "urn:quokka:boats:", clock)
    assert 'href="/names/under/urn:quokka:"' in page()
