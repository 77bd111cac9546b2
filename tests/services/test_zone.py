"""The zone file of a host: there where a domain is set, in copies too, and of no edition."""

from dataclasses import replace
from pathlib import Path

from flask import Flask

from app.exports.discovery.naptr_zone import ZONE
from app.factory import page_fingerprint
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from app.services.stored_editions.edition_folder import EditionFolder
from app.store.database import read_transaction
from tests import factories
from tests.conftest import Clock
from tests.published.bundles import ask


def test_a_host_publishes_its_zone_where_a_domain_is_set_and_nowhere_else(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    making = factories.making()
    publication.lay_out_newest(tmp_path, making, URN_GROUP)
    assert ask(PublishedPlane(tmp_path), ZONE).status == 404
    set_ = replace(making, naptr_suffix="urn.example.org", made_by="another")
    publication.lay_out_newest(tmp_path, set_, URN_GROUP)
    answer = ask(PublishedPlane(tmp_path), ZONE)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/dns")
    text = answer.body.decode()
    assert "$ORIGIN urn.example.org.\n" in text
    assert '\nisbn 86400 IN NAPTR 100 10 "u" "thttp+I2' in text
    with read_transaction():
        kept = {file.path for file in EditionFolder(tmp_path, URN_GROUP).list_of(1).files}
    assert ZONE not in kept


def test_pages_are_made_anew_for_another_domain(app: Flask) -> None:
    settings = app.extensions["settings"]
    assert page_fingerprint(settings) != page_fingerprint(
        replace(settings, naptr_suffix="urn.example.org")
    )
