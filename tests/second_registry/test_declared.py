"""What is said of names stands in the declaration of their registry, and is asked of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
from app.registration.declarations.registries import REGISTRIES, declared_procedures
from app.workflow.states import Role
from app.workflow.transitions import TABLES
from tests.second_registry.shelf_transitions import DEPOSIT

APP = Path(app.__file__ or "").parent

# Rooms and packages that are about URNs, whatever is registered besides.
ABOUT_URNS = (
    "identifiers/",
    "grammar/",
    "resolution/",
    "registration/declarations/",  # where registries say what they are
    "registration/templates/",  # the form of RFC 8141 Appendix A, and older ones
    "commands/",  # `urn`, `nid`, `template` and `resolvers` on the command line
    "services/names/",  # search, suggestions and rules of namespaces
)

# How names of URNs are folded, checked and written. The table only grows shorter.
WRITES_URNS = {
    "assigned_names/name_schemes.py",  # /urn:... and /ark:..., as somebody follows them
    "assigned_names/name_look_alikes.py",  # names that look alike, as NIDs do
    "exports/extracts/derived_files.py",  # the rules by which URNs are resolved
    "exports/extracts/prefix_map.py",
    "exports/extracts/profile_table.py",
    "exports/search/search_terms.py",  # a URN that is looked for
    "outside/syntax_study.py",  # the grammar of a namespace
    "pages/namespaces/profile_view.py",  # examples of URNs, and how they resolve
    "pages/namespaces/template_summary.py",
    "pages/site/name_pages.py",  # /urn:... and /names/...
    "pages/tools/urn_tool.py",
    "published/names/bound_name_resolver.py",  # each with whose it is, by its scheme
    "services/notifications/person_names.py",  # letters that look alike, as in names
    "services/operations/demo_requests.py",  # a demonstration's requests
    "web/public/search_targets.py",  # a bare name of the namespace on whose page it is typed
    "web/public/syntax_workbench.py",
    "web/public/tool_pages.py",
    "web/public/unregistered_documents.py",
}

# Which name one of the registries of URNs, their space or their form. It only grows shorter.
NAMES_ONE = {
    "assigned_names/name_schemes.py",  # where its schemes are declared
    "services/assigned_names/prefix_rights.py",  # names that their namespace has rules for
    # what is addressed below /namespaces/, where only a name is given: the space is an argument
    "registration/records/registry_records.py",
    "store/accounts/delegate_rows.py",
    "web/accounts/delegate_pages.py",
    "web/accounts/yearly_question_pages.py",
    "web/public/registry_pages.py",
    "web/desk/correction_pages.py",
    # what namespaces alone have: profiles, templates of RFCs, Internet-Drafts, mailed templates
    "exports/content/page_sections.py",
    "exports/documents/internet_draft.py",
    "messages/mailed_template.py",
    "pages/text/template_diff.py",
    "pages/tools/template_tool.py",
    "registration/submissions/example_checks.py",
    "registration/submissions/text_checks.py",
    "services/mail/incoming_mail.py",
    "services/registrations/namespace_profiles.py",
    "services/registry/bundled_profiles.py",
    "services/registry/import_plans.py",  # rules for new NIDs
    "services/operations/recovery.py",  # profiles of recovered namespaces
    "services/registry/template_files.py",
    "services/operations/demo_requests.py",
    "web/public/resolver_pages.py",  # services of namespaces
    "web/public/template_texts.py",  # /assignments/urn-formal/NID
    "web/forms/request_forms.py",  # the fast track among the kinds of a new request
    "web/public/help_pages.py",
    "web/forms/draft_forms.py",
    "web/requests/template_upload.py",
}

_URN_WORDS = re.compile(
    r"\b(?:fold_nid|check_nid|NidKind)\b|(?:nid_index\.|import .*)\bskeleton\b|\"nid\"|urn:\{"
)
_ONE = re.compile(r"\b(?:URN_SPACE|TEMPLATE_FIELDS|CONTACT_FIELDS)\b|\bimport .*\b(?:IN)?FORMAL\b")
_ONE_OF_MANY = re.compile(r"^    (?:IN)?FORMAL,$", re.MULTILINE)


def _sources() -> Iterator[tuple[str, str]]:
    for file in sorted(APP.rglob("*.py")):
        path = file.relative_to(APP).as_posix()
        if not path.startswith(ABOUT_URNS):
            yield path, file.read_text(encoding="utf-8")


def test_only_what_is_about_urns_folds_checks_and_writes_them() -> None:
    assert {path for path, text in _sources() if _URN_WORDS.search(text)} == WRITES_URNS


def test_only_these_name_a_registry_of_urns_and_all_others_ask_the_one_at_hand() -> None:
    named = {path for path, text in _sources() if _ONE.search(text) or _ONE_OF_MANY.search(text)}
    assert named == NAMES_ONE


def test_each_procedure_has_a_table_and_one_registry() -> None:
    assert set(declared_procedures()) == set(TABLES)
    every = [one for registry in REGISTRIES.values() for one in registry.procedures]
    assert len(every) == len(set(every))


def test_a_procedure_without_experts_and_appeals_has_no_row_for_them() -> None:
    roles = {row.role for row in DEPOSIT}
    assert roles == {Role.REGISTRANT, Role.OPERATOR}
    states = {row.source for row in DEPOSIT if row.source} | {row.target for row in DEPOSIT}
    assert not [state for state in states if "iesg" in str(state).lower()]


@pytest.mark.usefixtures("declared")
def test_what_is_declared_for_a_test_is_there_and_gone_after_it() -> None:
    assert list(REGISTRIES)[-1] == "shelf-marks"
    assert set(declared_procedures()) == set(TABLES)
