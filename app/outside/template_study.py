"""Study the grammar in a whole template, in its text or in its fields.

Every command and page studies grammars here and finds the same in the same template. Rules and
examples count in every section. The child process doesn't import this module: without the
template reader it starts in half the time.
"""

from collections.abc import Mapping
from itertools import groupby

from app.grammar.analysis.study import Study, move_study
from app.grammar.analysis.study_stages import MOST_CHARACTERS
from app.identifiers.equivalence import Equivalence
from app.outside.child_processes import ProcessLimits
from app.outside.syntax_study import may_hold_grammar, study_in_child
from app.outside.work_queue import QUEUE
from app.registration.templates.field_values import find_nid
from app.registration.templates.template_lines import strip_lines
from app.registration.templates.template_reader import read_template
from app.registration.templates.template_writer import join_fields

_SYNTAX = "syntax"


def study_text(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
) -> Study:
    """Study the grammar in a text: a template, mail that quotes one, an RFC, or only rules.

    Words around a template, such as an appendix with code, count only if the template has no
    rules. Line numbers are those of the text, and each finding has the field of its line. Without
    ``nid`` the template's own is used.

    Raises WorkQueueFull if too many grammars are being studied.
    """
    if len(text) > MOST_CHARACTERS:
        return study_in_child(text)
    with QUEUE.turn():
        read, lines = read_template(text), strip_lines(text).lines
    nid = (nid or find_nid(read.fields.get("namespace_identifier", "")) or "").lower() or None
    whole = "\n".join(line.text for line in lines)
    if not may_hold_grammar(whole):
        return Study(nid=nid)
    fields, headings = dict[int, str](), set[int]()
    for part in read.parts:
        fields.update(dict.fromkeys(range(part.line, part.last_line + 1), part.field))
        if part.own and not part.rest:
            headings.add(part.line)
    places = [(fields.get(line.number, ""), line.number) for line in lines]
    section = _section([("", at) if at in headings else (name, at) for name, at in places])
    template = "\n".join(line.text if fields.get(line.number) else "" for line in lines)
    own = template if section and may_hold_grammar(template) else whole
    found = study_in_child(own, nid, start, equivalence, section=section)
    if found.is_empty and not found.too_large and own != whole:
        found = study_in_child(whole, nid, start, equivalence, section=section)
    if section is None:  # a text that isn't a template: `name ::= "a"` reads like `Name:`
        places = [("", at) for _, at in places]
    return move_study(found, lambda line: places[line - 1], in_fields=False)


def _section(places: list[tuple[str, int]]) -> tuple[int, int] | None:
    runs = groupby(range(1, len(places) + 1), lambda line: places[line - 1][0] == _SYNTAX)
    run = next((list(run) for is_syntax, run in runs if is_syntax), None)
    return (run[0], run[-1]) if run else None


def study_fields(
    fields: Mapping[str, str],
    nid: str | None = None,
    equivalence: Equivalence | None = None,
    limits: ProcessLimits | None = None,
) -> Study:
    """Study the grammar in the fields of a template.

    Raises WorkQueueFull if too many grammars are being studied.
    """
    text, places = join_fields(fields)
    if not may_hold_grammar(text):
        return Study(nid=nid)
    found = study_in_child(text, nid, None, equivalence, limits, _section(places))
    return move_study(found, lambda line: places[line - 1], in_fields=True)
