"""The fields of a template (RFC 8141 appendix A), and what beside it only the registry reads."""

from typing import NamedTuple

from app.registration.declarations.fields import Field, FormSection, Hint, Requirement, Widget


class _HintSource(NamedTuple):
    """What reviewers look for, and beginnings of words by which a text may speak of it."""

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
        help="The part after urn:, 3 to 32 letters, digits and hyphens. Upper and lower case "
        "count as the same. It can never be changed.",
        widget=Widget.NID,
        required=Requirement.FORMAL,
        section=FormSection.NAME_AND_PURPOSE,
        source="RFC 8141 section 5.1",
        hints=_hints(
            "RFC 8141 section 5.1",
            _HintSource(
                "Experts ask about names that look like a country, a trademark, a URI scheme or "
                "another namespace.",
                "",
            ),
        ),
        missing="Enter a NID: 3 to 32 letters, digits or hyphens.",
    ),
    Field(
        name="version",
        label="Version",
        help="Counts the registered texts of this namespace, from 1. It is filled in for you.",
        widget=Widget.FILLED_IN,
        required=Requirement.NEVER,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 appendix A",
    ),
    Field(
        name="date",
        label="Date",
        help="The day the registration is asked for, as YYYY-MM-DD. It is filled in when you "
        "send the request.",
        widget=Widget.FILLED_IN,
        required=Requirement.ALWAYS,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 appendix A",
        missing="Give the day of the request as YYYY-MM-DD.",
    ),
    Field(
        name="registrant",
        label="Registrant",
        help="The organization that registers the name, and a role that can be written to. "
        "This text is published for ever: use a role address, not a person's.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.REGISTRANT,
        source="RFC 8141 appendix A",
        hints=_hints(
            "RFC 8141 appendix A",
            _HintSource(
                "The name and address of the organization that registers the namespace",
                "organization|organisation|institut|society|association|foundation|consortium|"
                "ltd|inc.|gmbh|university|library|agency|address",
            ),
            _HintSource(
                "Whom to write to about it, now and in ten years: a role such as urn@ or "
                "standards@",
                "@|e-mail|email|mailto|secretariat|contact|department|office",
            ),
            _HintSource(
                "On the fast track: that you are a standards organization, a scientific society "
                "or their designee",
                "standards development|standards organi|scientific societ|designee|SDO",
            ),
        ),
        missing="Say which organization registers the name and how to reach it.",
        least=10,
    ),
    Field(
        name="purpose",
        label="Purpose",
        help="Say what the names identify, for whom, and what existing namespaces lack.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.NAME_AND_PURPOSE,
        source="RFC 8141 section 6.4.1",
        hints=_numbered(
            "RFC 8141 section 6.4.1",
            _HintSource(
                "What kinds of things get a name",
                "identif|resource|document|object|item|record|publication|device|name|assigned to",
            ),
            _HintSource(
                "Who uses the names, and whether on public or private networks",
                "user|used by|communit|public|private|network|internet|intranet|organization|"
                "implementer",
            ),
            _HintSource(
                "What its users and the Internet gain from using or resolving the names",
                "benefit|gain|allow|enable|persistent|permanent|unique|interoperab|advantage|help",
            ),
            _HintSource(
                "How it relates to other namespaces, URI schemes and identifiers, and what it adds",
                "other namespace|existing|differ|compar|URI scheme|related|overlap|instead of|"
                "unlike|identifier scheme",
            ),
            _HintSource(
                "Which kinds of software can use or resolve the names",
                "software|application|client|browser|server|service|resolver|agent|tool|"
                "implementation",
            ),
            _HintSource(
                "Whether names can be, or will be, resolved, and by what; examples of "
                "q-components and r-components help",
                "resol|q-component|r-component|look up|lookup|dereferenc",
            ),
            _HintSource(
                "Whether the namespace is to become part of a standard, of the IETF or another "
                "body",
                "standard|specification|IETF|ISO |W3C|OASIS|RFC|working group",
            ),
        ),
        missing="Enter the purpose.",
        least=20,
    ),
    Field(
        name="syntax",
        label="Syntax",
        help="Show how a name is built, best as ABNF with examples. Without a word about "
        "r-, q- and f-components, what they mean stays undefined.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SYNTAX,
        source="RFC 8141 section 6.4.2",
        hints=_numbered(
            "RFC 8141 section 6.4.2",
            _HintSource(
                "The structure of a name: a grammar, an algorithm, a pattern, or that it is opaque",
                "ABNF|grammar|=|structure|algorithm|regular expression|pattern|opaque|hierarch",
            ),
            _HintSource(
                "Rules for encoding special characters",
                "encod|percent|escap|special character|reserved character|UTF-8|unicode|ASCII",
            ),
            _HintSource(
                "Which spellings count as the same name; such a rule may only join names, never "
                "tell apart what RFC 8141 section 3.1 holds equal",
                "equivalen|case-insensitive|case insensitive|case-sensitive|case sensitive|"
                "comparison|compared|lexical|normaliz|hyphen",
            ),
            _HintSource(
                "What must be changed in an existing identifier to make it fit into a URN",
                "convert|conversion|transform|mapping|mapped|prefix|existing identifier|conform|"
                "replac|rewrit",
            ),
            _HintSource(
                "What q-components and f-components mean here, if anything",
                "q-component|f-component|r-component|fragment|query",
            ),
        ),
        missing="Describe the structure of the names, with an example.",
        least=10,
    ),
    Field(
        name="assignment",
        label="Assignment",
        help="Say who gives out names, who can ask for one, and what makes each unique for ever.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.ASSIGNMENT,
        source="RFC 8141 section 6.4.3",
        hints=_numbered(
            "RFC 8141 section 6.4.3",
            _HintSource(
                "Who assigns names: anybody, a closed group, or delegated authorities; if "
                "limited, how to become an assigner or get a name from one",
                "assign|delegat|issu|authorit|register|registrar|member|mint|anyone|anybody|appl",
            ),
            _HintSource(
                "What makes each name unique: a sequence, parts given to authorities, an algorithm",
                "unique|uniqueness|sequen|counter|random|hash|UUID|partition|delegat|algorithm|"
                "never be",
            ),
        )
        + _hints(
            "RFC 8141 section 5.1",
            _HintSource(
                "That names are never given to something else, and stay valid when their owner is"
                " gone",
                "persisten|permanen|never|reassign|re-assign|reuse|re-use|forever|for ever|"
                "withdrawn|retired",
            ),
            _HintSource(
                "How the namespace goes on if the organization no longer can",
                "succe|continu|cease|dissol|transfer|escrow|merge|takes over|no longer|"
                "stewardship|future",
            ),
        ),
        missing="Say who assigns names and how they stay unique.",
        least=15,
    ),
    Field(
        name="security_and_privacy",
        label="Security and Privacy",
        help="What can go wrong when names are assigned, used or resolved. "
        "“None known” is an answer, after some thought.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.4",
        hints=_hints(
            "RFC 8141 section 6.4.4",
            _HintSource(
                "What happens when two names are wrongly held to be the same, or different",
                "spoof|collision|false|wrongly|ambigu|mistaken|equivalen|forg|fake|misidentif",
            ),
            _HintSource(
                "What a name tells strangers when it crosses the public Internet",
                "leak|disclos|reveal|expos|privacy|personal|confidential|sensitive|public internet",
            ),
            _HintSource(
                "Whether names can be collected to learn about people or things",
                "enumerat|harvest|collect|scan|track|guess|correlat|crawl",
            ),
            _HintSource(
                "Other points of the guidelines for security and privacy, RFC 3552 and RFC 6973",
                "RFC 3552|RFC 6973|RFC3552|RFC6973|attack|threat|denial|trust|authenticat|TLS|"
                "https",
            ),
        ),
        missing="Describe risks to security and privacy; “none known” is an answer.",
        least=4,
    ),
    Field(
        name="interoperability",
        label="Interoperability",
        help="What could be confused with these names, or be a trouble to software. "
        "“None known” is an answer.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.5",
        hints=_hints(
            "RFC 8141 section 6.4.5",
            _HintSource(
                "Confusion with other namespaces, identifiers or URI schemes by syntax, such as "
                "percent-encoding",
                "syntax|percent|encod|confus|other namespace|identifier|URI scheme",
            ),
            _HintSource(
                "Confusion by scope, such as overlapping fields of interest",
                "scope|overlap|other namespace|confus|similar",
            ),
            _HintSource(
                "Concerns to be settled before or together with this registration",
                "concern|issue|before|settled|coordinat|none known|no known|no interoperability",
            ),
        ),
        missing="Describe what could be confused with these names; “none known” is an answer.",
        least=4,
    ),
    Field(
        name="resolution",
        label="Resolution",
        help="Say whether names are meant to be looked up, and where. "
        "“Not resolvable” is an answer.",
        widget=Widget.TEXT,
        required=Requirement.ALWAYS,
        section=FormSection.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.6",
        hints=_hints(
            "RFC 8141 section 6.4.6",
            _HintSource(
                "Whether resolution is meant or expected",
                "resol|not intended|intended|expected",
            ),
            _HintSource(
                "Whether you run or recommend a resolver",
                "resolver|operate|run by|recommend|service|server|https://|http://|provide",
            ),
            _HintSource(
                "What a resolver must fulfil to be publicly listed, if you list them",
                "requirement|listed|conform|public list|must support|register",
            ),
            _HintSource(
                "How r-components are to be treated, if they mean anything here",
                "r-component|r component",
            ),
        ),
        missing="Say whether the names can be resolved; “not intended” is an answer.",
        least=4,
    ),
    Field(
        name="documentation",
        label="Documentation",
        help="A stable document that says more: an RFC, a standard, a page that will stay. "
        "Experts expect one.",
        widget=Widget.TEXT,
        required=Requirement.FAST_TRACK,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 section 6.2 and appendix A",
        hints=_hints(
            "RFC 8141 section 6.2",
            _HintSource(
                "A specification of the namespace, beyond this template: it is your contract with"
                " those who will use the names",
                "http|RFC|ISO |specification|standard|document|doi|isbn",
            ),
        ),
        missing="Point to the specification that defines the namespace.",
        least=4,
    ),
    Field(
        name="additional_information",
        label="Additional Information",
        help="Anything else that helps a reader, such as a comparison with namespaces that "
        "seem to overlap. You can leave it empty.",
        widget=Widget.TEXT,
        required=Requirement.NEVER,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 section 6.4.7",
    ),
    Field(
        name="revision_information",
        label="Revision Information",
        help="What differs from the registered version, and which changes in technology or "
        "management led to it.",
        widget=Widget.TEXT,
        required=Requirement.REVISION,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 section 6.2",
        missing="Describe what differs from the version before.",
        least=2,
    ),
)

_CONTACT = "RFC 8141 appendix A"

CONTACT_FIELDS: tuple[Field, ...] = (
    Field(
        name="contact_name",
        label="Contact’s name",
        help="Who answers for this request. Only the operator and the experts see it.",
        widget=Widget.LINE,
        required=Requirement.NEVER,
        section=FormSection.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
    Field(
        name="contact_address",
        label="Contact’s e-mail address",
        help="Where the operator writes when something is to be settled. Never published.",
        widget=Widget.EMAIL,
        required=Requirement.NEVER,
        section=FormSection.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
    Field(
        name="contact_telephone",
        label="Contact’s telephone",
        help="Only if you want to be called. Never published.",
        widget=Widget.LINE,
        required=Requirement.NEVER,
        section=FormSection.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
)
