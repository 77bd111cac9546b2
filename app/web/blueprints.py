"""The blueprints of the working plane: which take forms, and which are only read."""

from app.web.accounts import (
    assigned_name_pages,
    found_name_pages,
    link_pages,
    name_file_pages,
    prefix_pages,
    sign_in_pages,
    yearly_question_pages,
)
from app.web.desk import (
    claim_pages,
    correction_pages,
    desk_pages,
    holder_pages,
    mail_pages,
    organization_pages,
    panel_pages,
    prefix_list_pages,
    status_pages,
)
from app.web.middleware.request_guard import take_forms
from app.web.public import (
    ark_pages,
    browser_search,
    edition_pages,
    health_endpoints,
    help_pages,
    problem_pages,
    registry_pages,
    resolver_pages,
    security_contact,
    syntax_workbench,
    template_texts,
    tool_pages,
)
from app.web.requests import (
    discussion_pages,
    draft_pages,
    naan_triage_pages,
    note_pages,
    request_documents,
    request_pages,
    review_pages,
    template_upload,
)

_FORM_PAGES = (
    *(tool_pages, ark_pages, syntax_workbench, template_upload, sign_in_pages, draft_pages),
    *(
        discussion_pages,
        request_pages,
        review_pages,
        desk_pages,
        note_pages,
        correction_pages,
    ),
    *(
        panel_pages,
        organization_pages,
        yearly_question_pages,
        link_pages,
        claim_pages,
        mail_pages,
        status_pages,
        prefix_pages,
        assigned_name_pages,
        name_file_pages,
        found_name_pages,
    ),
)
_READ_PAGES = (
    *(registry_pages, edition_pages, help_pages, problem_pages, resolver_pages, health_endpoints),
    *(
        holder_pages,
        prefix_list_pages,
        browser_search,
        security_contact,
        request_documents,
        template_texts,
        naan_triage_pages,
    ),
)

FORM_BLUEPRINTS = tuple(take_forms(pages.bp) for pages in _FORM_PAGES)
READ_BLUEPRINTS = tuple(pages.bp for pages in _READ_PAGES)
DEMO_BLUEPRINT = take_forms(sign_in_pages.demo)
