"""The form's own sentences, which some applicants leave in a field: no answer counts there."""

import re
from collections.abc import Iterator, Mapping

from app.registration.declarations.registries import find_field
from app.registration.submission_findings import Severity, SubmissionFinding

# How each sentence of RFC 8141 section 6.4 and appendix A begins, after the number of its words.
_SENTENCES = """
10 the purpose section of the
12 the kinds of resources identified
44 the scope and applicability of
19 how the intended community and
18 how the urn namespace relates
38 the kinds of software applications
19 whether resolution services are available
26 examples of q component and
28 whether the urn namespace or
7 the syntax section of the
18 a description of the structure
39 the structure might be described
19 any special character encoding rules
12 rules for determining urn equivalence
18 such rules ought to always
27 if it is appropriate and
31 examples of urn equivalence rules
23 there may also be namespace
32 note that these are not
10 any special considerations necessary for
21 this is particularly applicable in
28 for example if a non
17 this section ought to note
32 normally this will be handled
26 any special considerations for the
10 the assignment section of the
8 mechanisms or authorities for assigning
70 it ought to make clear
11 methods for ensuring that urns
47 for example names might be
30 the security and privacy section
5 examples of such issues include
30 the consequences of producing false
12 leakage of private information when
5 the potential for directory harvesting
20 various issues discussed in the
33 in particular note the privacy
12 the interoperability section must specify
33 examples include possible confusion with
41 if at all possible concerns
19 the resolution section must specify
33 if resolution is intended then
54 in addition if the assigning
22 in addition this section should
35 the additional information section includes
7 this section of the template
37 the person or organization that
36 if the registrant is a
26 unless the registration explicitly describes
25 a pointer to an rfc
7 description of changes from prior
8 applicable only when earlier registrations
9 described in section 6 4
"""
_OPENING = 5  # words
_ROWS = (row.split() for row in _SENTENCES.strip().split("\n"))
_KNOWN = frozenset((int(count), *words) for count, *words in _ROWS)
_ITEM = r"[ \t]*(?:[0-9]{1,2}[.)]|[-*o•])[ \t]+"
_PARAGRAPH = re.compile(rf"\n[ \t]*\n|\n(?={_ITEM})")
_MARK = re.compile(_ITEM)
_SENTENCE_END = re.compile(r"(?<=[.:!?)])\s+(?=[A-Z(\"“])")
_WORD = re.compile(r"[a-z0-9]+")


def own_words(text: str) -> str:
    """Return the text without the sentences of the form.

    ``1.  The kinds of resources identified by URNs assigned within the URN namespace. Rivers.``
    gives ``Rivers.``; line ends aren't kept.

    Source: RFC 8141 sections 6.4.1 to 6.4.7 and appendix A.
    """
    return " ".join(sentence for sentence in _sentences(text) if not _is_of_form(sentence))


def check_form_sentences(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield one finding for all fields with an answer next to sentences of the form.

    Source: RFC 8141 section 6.4.
    """
    found = [
        field
        for field in map(find_field, fields)
        if field and field.is_long and any(map(_is_of_form, _sentences(fields[field.name])))
    ]
    if found:
        labels = ", ".join(field.label for field in found)
        yield SubmissionFinding(
            field=found[0].name,
            code="form-sentence",
            message=f"Text of the blank template is still in {labels}. Remove it.",
            source="RFC 8141 section 6.4",
            severity=Severity.NOTE,
        )


def _sentences(text: str) -> Iterator[str]:
    for paragraph in _PARAGRAPH.split(text):
        mark = _MARK.match(paragraph)
        flat = " ".join(paragraph[mark.end() if mark else 0 :].split())
        yield from filter(None, _SENTENCE_END.split(flat))


def _is_of_form(sentence: str) -> bool:
    words = _WORD.findall(sentence.lower())
    return (len(words), *words[:_OPENING]) in _KNOWN
