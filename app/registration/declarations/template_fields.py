"""The fields of a template (RFC 8141 appendix A), and what beside it only the registry reads."""

from typing import NamedTuple

from app.registration.declarations.fields import Field, FormSection, Hint, Requirement, Widget


class _HintSource(NamedTuple):
    text: str
    words: str  # with `|` between them


def _hints(source: str, *points: _HintSource) -> tuple[Hint, ...]:
    return tuple(Hint(text, source, _split(words)) for text, words in points)


def _numbered(source: str, *points: _HintSource) -> tuple[Hint, ...]:
    numbered = enumerate(points, 1)
    return tuple(Hint(text, f"{source}, point {n}", _split(words)) for n, (text, words) in numbered)


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split("|")) if words else ()


TEMPLATE_FIELDS: tuple[Field, ...] = (
    Field(
        name="namespace_identifier",
        label="Namespace Identifier",
        help="The part after urn:, 3 to 32 letters, digits and hyphens. It isn't "
        "case-sensitive and can never change.",
        widget=Widget.NID,
        required=Requirement.FORMAL,
        section=FormSection.NAME_AND_PURPOSE,
        source="RFC 8141 section 5.1",
        hints=_hints(
            "RFC 8141 section 5.1",
            _HintSource(
                "Is the NID similar to a country code, a trademark, a URI scheme or another "
                "namespace?",
                "",
            ),
        ),
        missing="Enter a NID: 3 to 32 letters, digits or hyphens.",
    ),
    Field(
        name="version",
        label="Version",
        help="The number of the registered text, starting at 1. Filled in for you.",
        widget=Widget.FILLED_IN,
        required=Requirement.NEVER,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 appendix A",
    ),
    Field(
        name="date",
        label="Date",
        help="The date of the request. Filled in when you submit it.",
        widget=Widget.FILLED_IN,
        required=Requirement.ALWAYS,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 appendix A",
        missing="Enter the date of the request as YYYY-MM-DD.",
    ),
    Field(
        name="registrant",
        label="Registrant",
        help="The organization that registers the namespace, and its contact. Published "
        "permanently. Use a role address.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.REGISTRANT,
        source="RFC 8141 appendix A",
        hints=_hints(
            "RFC 8141 appendix A",
            _HintSource(
                "The organization's name and address",
                "organization|organisation|institut|society|association|foundation|consortium|"
                "ltd|inc.|gmbh|university|library|agency|address",
            ),
            _HintSource(
                "A long-term contact: a role address such as urn@ or standards@",
                "@|e-mail|email|mailto|secretariat|contact|department|office",
            ),
            _HintSource(
                "Fast track only: that you are a standards organization, a scientific "
                "society, or its designee",
                "",
            ),
        ),
        missing="Enter the organization that registers the namespace and how to contact it.",
        least=10,
    ),
    Field(
        name="purpose",
        label="Purpose",
        help="The items identified, their users, and why existing namespaces aren't enough.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.NAME_AND_PURPOSE,
        source="RFC 8141 section 6.4.1",
        hints=_numbered(
            "RFC 8141 section 6.4.1",
            _HintSource(
                "The kinds of resources identified",
                "identif|resource|document|object|item|record|publication|device|name|assigned to",
            ),
            _HintSource(
                "The community that uses the URNs, on public or private networks",
                "user|used by|communit|public|private|network|internet|intranet|organization|"
                "implementer",
            ),
            _HintSource(
                "The benefits for users and for the Internet",
                "benefit|gain|allow|enable|persistent|permanent|unique|interoperab|advantage|help",
            ),
            _HintSource(
                "The relation to other namespaces, URI schemes and identifiers",
                "other namespace|existing|differ|compar|URI scheme|related|overlap|instead of|"
                "unlike|identifier scheme",
            ),
            _HintSource(
                "The kinds of software that can use or resolve the URNs",
                "software|application|client|browser|server|service|resolver|agent|tool|"
                "implementation",
            ),
            _HintSource(
                "The resolution services that exist or are planned, with examples of "
                "q-components and r-components",
                "resol|q-component|r-component|look up|lookup|dereferenc",
            ),
            _HintSource(
                "The standard that the namespace is expected to be part of, if any",
                "standard|specification|IETF|ISO |W3C|OASIS|RFC|working group",
            ),
        ),
        missing="Enter the purpose.",
        least=20,
    ),
    Field(
        name="syntax",
        label="Syntax",
        help="How a URN is built, best as an ABNF grammar with examples. If you don't mention "
        "r-, q- and f-components, their meaning is undefined.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SYNTAX,
        source="RFC 8141 section 6.4.2",
        hints=_numbered(
            "RFC 8141 section 6.4.2",
            _HintSource(
                "The structure: a grammar, an algorithm, a pattern, or a statement that "
                "identifiers are opaque",
                "ABNF|grammar|=|structure|algorithm|regular expression|pattern|opaque|hierarch",
            ),
            _HintSource(
                "Rules for encoding special characters",
                "encod|percent|escap|special character|reserved character|UTF-8|unicode|ASCII",
            ),
            _HintSource(
                "Spellings that count as equivalent. Your rules can add to those of RFC 8141 "
                "section 3.1, but can't narrow them",
                "equivalen|case-insensitive|case insensitive|case-sensitive|case sensitive|"
                "comparison|compared|lexical|normaliz|hyphen",
            ),
            _HintSource(
                "The conversion of existing identifiers to URNs",
                "convert|conversion|transform|mapping|mapped|prefix|existing identifier|conform|"
                "replac|rewrit",
            ),
            _HintSource(
                "The meaning of q-components and f-components, if any",
                "q-component|f-component|r-component|fragment|query",
            ),
        ),
        missing="Describe the structure of a URN, with an example.",
        least=10,
    ),
    Field(
        name="assignment",
        label="Assignment",
        help="How identifiers are assigned, to whom, and how each stays unique.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.ASSIGNMENT,
        source="RFC 8141 section 6.4.3",
        hints=_numbered(
            "RFC 8141 section 6.4.3",
            _HintSource(
                "The assigning authority: anyone, a closed group, or delegates. If limited, "
                "how to join it or get a URN",
                "assign|delegat|issu|authorit|register|registrar|member|mint|anyone|anybody|appl",
            ),
            _HintSource(
                "The method for uniqueness: a sequence, delegated ranges, an algorithm",
                "unique|uniqueness|sequen|counter|random|hash|UUID|partition|delegat|algorithm|"
                "never be",
            ),
        )
        + _hints(
            "RFC 8141 section 5.1",
            _HintSource(
                "A promise that URNs are never reassigned and stay valid when their owner is gone",
                "persisten|permanen|never|reassign|re-assign|reuse|re-use|forever|for ever|"
                "withdrawn|retired",
            ),
            _HintSource(
                "A plan for the namespace if the organization can't continue",
                "succe|continu|cease|dissol|transfer|escrow|merge|takes over|no longer|"
                "stewardship|future",
            ),
        ),
        missing="Describe how identifiers are assigned and stay unique.",
        least=15,
    ),
    Field(
        name="security_and_privacy",
        label="Security and Privacy",
        help="Risks when URNs are assigned, used or resolved. If you have considered them and "
        "found none, enter “None known”.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.4",
        hints=_hints(
            "RFC 8141 section 6.4.4",
            _HintSource(
                "The effects of wrongly treating two URNs as equivalent, or as different",
                "spoof|collision|false|wrongly|ambigu|mistaken|equivalen|forg|fake|misidentif",
            ),
            _HintSource(
                "The information a URN reveals on the public Internet",
                "leak|disclos|reveal|expos|privacy|personal|confidential|sensitive|public internet",
            ),
            _HintSource(
                "The risk that URNs are collected to profile people or things",
                "enumerat|harvest|collect|scan|track|guess|correlat|crawl",
            ),
            _HintSource(
                "The other considerations of RFC 3552 (security) and RFC 6973 (privacy)",
                "RFC 3552|RFC 6973|RFC3552|RFC6973|attack|threat|denial|trust|authenticat|TLS|"
                "https",
            ),
        ),
        missing="Describe the security and privacy risks, or enter “None known”.",
        least=4,
    ),
    Field(
        name="interoperability",
        label="Interoperability",
        help="Possible confusion with other identifiers, and problems for software. If there "
        "are none, enter “None known”.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.5",
        hints=_hints(
            "RFC 8141 section 6.4.5",
            _HintSource(
                "Confusion by syntax with other namespaces, identifiers or URI schemes, for "
                "example percent-encoding",
                "syntax|percent|encod|confus|other namespace|identifier|URI scheme",
            ),
            _HintSource(
                "Confusion by scope, for example overlapping subjects",
                "scope|overlap|other namespace|confus|similar",
            ),
            _HintSource(
                "Concerns to resolve before or with this registration",
                "concern|issue|before|settled|coordinat|none known|no known|no interoperability",
            ),
        ),
        missing="Describe possible confusion, or enter “None known”.",
        least=4,
    ),
    Field(
        name="resolution",
        label="Resolution",
        help="The resolution of URNs, if intended. If they can't, enter “Not resolvable”.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.6",
        hints=_hints(
            "RFC 8141 section 6.4.6",
            _HintSource(
                "The intention to resolve URNs, or not",
                "resol|not intended|intended|expected",
            ),
            _HintSource(
                "Any resolver you run or recommend",
                "resolver|operate|run by|recommend|service|server|https://|http://|provide",
            ),
            _HintSource(
                "The requirements for public resolvers, if you list them",
                "requirement|listed|conform|public list|must support|register",
            ),
            _HintSource(
                "The handling of r-components, if they have a meaning",
                "r-component|r component",
            ),
        ),
        missing="Describe the resolution, or enter “Not resolvable”.",
        least=4,
    ),
    Field(
        name="documentation",
        label="Documentation",
        help="A stable specification: an RFC, a standard, or a permanent web page. Experts "
        "expect one.",
        widget=Widget.TEXT,
        required=Requirement.FAST_TRACK,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 section 6.2 and appendix A",
        hints=_hints(
            "RFC 8141 section 6.2",
            _HintSource(
                "A specification of the namespace beyond this template, for its users",
                "http|RFC|ISO |specification|standard|document|doi|isbn",
            ),
        ),
        missing="Enter the specification of the namespace, for example its address.",
        least=4,
    ),
    Field(
        name="additional_information",
        label="Additional Information",
        help="Anything else useful, such as a comparison with similar namespaces.",
        widget=Widget.TEXT,
        required=Requirement.NEVER,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 section 6.4.7",
    ),
    Field(
        name="revision_information",
        label="Revision Information",
        help="The changes from the registered version, and the reason for them.",
        widget=Widget.TEXT,
        required=Requirement.REVISION,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 section 6.2",
        missing="Describe the changes from the registered version.",
        least=2,
    ),
)

_CONTACT = "RFC 8141 appendix A"

CONTACT_FIELDS: tuple[Field, ...] = (
    Field(
        name="contact_name",
        label="Contact’s name",
        help="The person responsible for this request. Visible only to the operator and the "
        "experts.",
        widget=Widget.LINE,
        required=Requirement.NEVER,
        section=FormSection.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
    Field(
        name="contact_address",
        label="Contact’s e-mail address",
        help="For questions about this request. Never published.",
        widget=Widget.EMAIL,
        required=Requirement.NEVER,
        section=FormSection.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
    Field(
        name="contact_telephone",
        label="Contact’s telephone",
        help="Only if you're happy to be called. Never published.",
        widget=Widget.LINE,
        required=Requirement.NEVER,
        section=FormSection.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
)
