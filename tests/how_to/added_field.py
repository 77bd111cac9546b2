"""Looks for one more field wherever fields are shown; run where the software has one more."""

import json
import re
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

from flask import Flask

import app
from app.exports.documents.internet_draft import InternetDraftContent, internet_draft
from app.exports.formats.json import record_members
from app.exports.schemas.json_schema import record_schema_bytes
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.pages.text.template_diff import difference
from app.registration.declarations.registries import FORMAL, TEMPLATE_FIELDS, FormSection
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.templates.template_reader import read_template
from app.registration.templates.template_writer import format_template
from app.web.forms.request_forms import section_form
from tests.conftest import ROOT
from tests.exports.snapshots import FULL

SAID = "A council of quokkas decides."
FIELDS = {"purpose": "Names for quokkas.", "governance": SAID}
RECORD = replace(FULL.registries[0].records[0], fields=tuple(FIELDS.items()), text="")


def asked() -> None:
    """The form of its section asks for it."""
    flask = Flask("form")
    flask.config.update(SECRET_KEY="form", WTF_CSRF_ENABLED=False)
    with flask.test_request_context():
        form = section_form(FormSection.ASSIGNMENT, FORMAL)()
        assert form["governance"].label.text == "Governance"


def written() -> None:
    """The text has it under its heading, and is read back; the diff shows it by its label."""
    text = format_template(FIELDS)
    assert f"Governance:\n\n{SAID}" in text
    assert read_template(text).fields == FIELDS
    found = difference({}, {"governance": SAID})
    assert [field.label for field in found.changed] == ["Governance"]


def published() -> None:
    """The page, JSON, its schema and an Internet-Draft have it."""
    page = Site(ROOT / "templates").namespace(FULL, RECORD, Chrome())
    assert "Governance" in page
    assert SAID in page
    assert json.dumps(record_members(FULL.registries[0], RECORD)["fields"]) == json.dumps(FIELDS)
    assert '"governance"' in record_schema_bytes(URN_GROUP.id).decode()
    draft = InternetDraftContent(
        name="quokka", organization="Quokka Society", fields=FIELDS, day=date(2026, 9, 1)
    )
    assert b"<name>Governance</name>" in internet_draft(draft)


def listed(line: str) -> None:
    """The list that a test has of all fields goes on as the recipe says."""
    labels = re.findall(r'"([^"]+)"', line)
    assert [field.label for field in TEMPLATE_FIELDS][-len(labels) :] == labels


if __name__ == "__main__":
    assert Path(app.__file__ or "").is_relative_to(sys.argv[1]), app.__file__
    asked()
    written()
    published()
    listed(sys.argv[2])
