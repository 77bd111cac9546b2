"""What every page template relies on."""

from jinja2 import Environment, StrictUndefined

from app.assigned_names.assigned_name_records import AssignedNameState
from app.exports.content.reference_links import xref_url
from app.pages.assets import static_link
from app.pages.lists.list_query import LIST_FORM
from app.pages.lists.registry_list import NO_DATE
from app.pages.lists.registry_paths import ATOM_PURPOSE
from app.pages.text.page_headings import page_headings
from app.pages.text.phrases import count_phrase, day_phrase, duration_phrase, sentence_html
from app.pages.text.unseen_characters import reveal_unseen
from app.registration.declarations.registries import alone_sentence, draws_numbers
from app.registration.profiles.equivalence_answers import (
    declared_equivalence,
    equivalence_sentences,
)
from app.registration.profiles.profile_answers import profile_facts_in
from app.registration.records.registry_records import bracket_reference

# The shape of a state of names that people look for.
NAME_STATE_TAGS = {
    AssignedNameState.RESERVED: "open",
    AssignedNameState.PUBLIC: "",
    AssignedNameState.WITHDRAWN: "look",
}


def configure_environment(environment: Environment) -> None:
    """Give an environment all that the shared page templates rely on.

    To be called before the first of them is read. Every value is escaped, and shows its
    unseen characters; ``value | e`` gives one back to a form as it was typed.
    """
    environment.autoescape = True
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.finalize = _shown
    for filter_ in (
        day_phrase,
        count_phrase,
        duration_phrase,
        page_headings,
        sentence_html,
        bracket_reference,
    ):
        environment.filters[filter_.__name__] = filter_
    environment.tests["begins_with"] = str.startswith
    environment.globals.update(
        LIST_FORM=LIST_FORM,
        NAME_STATE_TAGS=NAME_STATE_TAGS,
        alone_sentence=alone_sentence,
        draws_numbers=draws_numbers,
        static=static_link,
        xref_url=xref_url,
        ATOM_PURPOSE=ATOM_PURPOSE,
        NO_DATE=NO_DATE,
        rules_told=equivalence_sentences,
        declared_in=declared_equivalence,
        facts_told=profile_facts_in,
    )


def _shown(value: object) -> object:
    return reveal_unseen(value) if type(value) is str else value
