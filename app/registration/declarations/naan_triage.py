"""What somebody is told who thinks of asking for a NAAN: what is enough, and how to go on.

Source: The ARK Identifier Scheme, on NAANs and on shoulders; arks.org, on namespaces and on
testing ARKs.
"""

from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.ark_checks import TEST_NAAN
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.naans.holder_similarity import LONGEST_HOLDER
from app.registration.naans.naan_checks import web_address_faults
from app.registration.naans.shared_naans import AGENTS_NAAN, EXAMPLES_NAAN, TERMS_NAAN

__all__ = [
    "NAAN_WISHES",
    "NaanAdvice",
    "NaanWish",
    "find_triage_faults",
    "naan_advice",
    "wish_of",
]

_ON_NAMESPACES = "arks.org, on ARK namespaces"
_ON_SHARED = "The ARK Identifier Scheme, on shared NAANs"
_REFERENCE = "They are to resolve, and are fit to be relied on for long."


class NaanWish(StrEnum):
    """What somebody wants who thinks of asking for a NAAN."""

    NAMES = "names"
    CHANGE = "change"
    PART = "part"
    TERMS = "terms"
    AGENTS = "agents"
    TESTS = "tests"
    CLIENT = "client"

    @property
    def needs_holder(self) -> bool:
        """Whether the answer depends on who it is for."""
        return self in (NaanWish.NAMES, NaanWish.CHANGE, NaanWish.CLIENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanAdvice:
    """What is told somebody by what they want: a title, sentences, and where they go on.

    ``registry`` is the id of the one that has the form, ``begin`` what leads there; ``shared`` a
    NAAN that everybody shares, and ``give`` what the form asks for.
    """

    title: str
    sentences: tuple[str, ...]
    source: str
    registry: str
    begin: str
    shared: str = ""
    give: tuple[str, ...] = ()


NAAN_WISHES: tuple[tuple[NaanWish, str, str], ...] = (
    (
        NaanWish.NAMES,
        "ARKs for things that my organization keeps",
        "Books, data, specimens, records: whatever is to be found under one name for long.",
    ),
    (
        NaanWish.CHANGE,
        "A change of a NAAN that we have",
        "Where its names lead, who holds it, what is promised of them.",
    ),
    (
        NaanWish.PART,
        "A part of our NAAN for a department or a project",
        "A shoulder, as x5 in ark:12345/x5wf6789.",
    ),
    (NaanWish.TERMS, "ARKs for terms of a vocabulary or an ontology", ""),
    (NaanWish.AGENTS, "ARKs for people, groups or institutions", ""),
    (NaanWish.TESTS, "ARKs to try things out", "Nobody is to rely on them."),
    (
        NaanWish.CLIENT,
        "A NAAN for a client of ours",
        "You run the service, and somebody else answers for the names.",
    ),
)
"""Each with its label and a hint, in the order in which they are offered."""

_GIVE = (
    "the name of the organization, in English if it has one there, and in its own language",
    "its web address",
    "where its ARKs are to lead",
    "what it promises of its names: never given again, opaque, with a check character",
    "who answers for the NAAN, and an address: these two are never published",
)
_SHARED_GIVE = (
    "the shoulder that you want, such as `x5`: letters without vowels and `l`, then one digit",
    "the name and the web address of your organization",
    "where the names under it are to lead",
    "who answers for it, and an address: these two are never published",
)

_ADVICE: dict[NaanWish, NaanAdvice] = {
    NaanWish.NAMES: NaanAdvice(
        title="Ask for a NAAN",
        sentences=(
            (
                "A NAAN is drawn by the registry. It is your organization’s alone, for any "
                "number of ARKs, and never given to another."
            ),
            "One is enough for an organization: its parts get shoulders under it.",
        ),
        source="The ARK Identifier Scheme, on the Name Assigning Authority Number",
        registry=NAANS.id,
        begin="Go on to the form",
        give=_GIVE,
    ),
    NaanWish.CHANGE: NaanAdvice(
        title="Have the NAAN changed",
        sentences=(
            (
                "Its holder asks for it: where names lead, who holds it, whom to write to, or that "
                "the holder ceases and who follows. Who does not act for it yet "
                "claims it on the way."
            ),
            (
                "The NAAN stays, and so do its ARKs, also where you change the provider of your "
                "service: it is yours and not theirs."
            ),
        ),
        source=_ON_NAMESPACES,
        registry=NAANS.id,
        begin="Ask for the change",
    ),
    NaanWish.PART: NaanAdvice(
        title="Divide your NAAN yourself",
        sentences=(
            (
                "Under your own NAAN a shoulder needs no request. Give each department or project "
                "letters that end with the first digit, such as `x5`, and nothing after it that "
                "marks where it ends."
            ),
            (
                "Have a shoulder registered where its names lead elsewhere than the others of the "
                "NAAN, or where somebody else answers for them."
            ),
        ),
        source="The ARK Identifier Scheme, on shoulders",
        registry=SHOULDERS.id,
        begin="Have a shoulder registered",
        give=_SHARED_GIVE,
    ),
    NaanWish.TERMS: NaanAdvice(
        title=f"A shoulder under {TERMS_NAAN} is enough",
        sentences=(
            (
                f"Everybody shares the NAAN {TERMS_NAAN} for terms of vocabularies and ontologies, "
                "such as names of metadata elements and values to pick from. Its ARKs lead to "
                "definitions of terms."
            ),
            _REFERENCE,
        ),
        source=_ON_SHARED,
        registry=SHOULDERS.id,
        begin=f"Ask for a shoulder under {TERMS_NAAN}",
        shared=TERMS_NAAN,
        give=_SHARED_GIVE,
    ),
    NaanWish.AGENTS: NaanAdvice(
        title=f"A shoulder under {AGENTS_NAAN} is enough",
        sentences=(
            (
                f"Everybody shares the NAAN {AGENTS_NAAN} for agents: people, groups and "
                "institutions that create, publish, perform or take part. Its ARKs lead to "
                "descriptions of them."
            ),
            _REFERENCE,
        ),
        source=_ON_SHARED,
        registry=SHOULDERS.id,
        begin=f"Ask for a shoulder under {AGENTS_NAAN}",
        shared=AGENTS_NAAN,
        give=_SHARED_GIVE,
    ),
    NaanWish.TESTS: NaanAdvice(
        title=f"The NAAN {TEST_NAAN} is for tests",
        sentences=(
            (
                "Everybody shares it for tests, development and experiments. Its ARKs may resolve "
                "or not, and nobody is to rely on them."
            ),
            (
                "Who has a NAAN begins at once, without a request: under "
                f"`ark:{TEST_NAAN}/9`, then the NAAN and `_`, as `ark:{TEST_NAAN}/924680_` for "
                "24680. Who has none asks for a shoulder."
            ),
            f"For examples in a text there is the NAAN {EXAMPLES_NAAN}.",
        ),
        source="arks.org, on testing ARKs",
        registry=SHOULDERS.id,
        begin=f"Ask for a shoulder under {TEST_NAAN}",
        shared=TEST_NAAN,
        give=_SHARED_GIVE,
    ),
    NaanWish.CLIENT: NaanAdvice(
        title="Ask in the name of your client",
        sentences=(
            (
                "The client is the holder: the NAAN is told with its name, and stays with it when "
                "it goes to another provider. You are told as its service provider."
            ),
            (
                "See that the client knows of the request and agrees. A client that has a NAAN "
                "keeps it: ask for a change of where it leads."
            ),
        ),
        source=_ON_NAMESPACES,
        registry=NAANS.id,
        begin="Go on to the form",
        give=(
            "the name of the client as the organization, and the client’s web address",
            "your own name as the service provider",
            "where its ARKs are to lead, at your service",
            "what the client promises of its names",
            "who answers for the NAAN at the client, and an address: these are never published",
        ),
    ),
}


def wish_of(text: str) -> NaanWish | None:
    """The wish that has a value; None for any other text."""
    return next((one for one in NaanWish if one == text), None)


def naan_advice(wish: NaanWish) -> NaanAdvice:
    """What is told somebody who wants that.

    Source: The ARK Identifier Scheme, on the Name Assigning Authority Number and on shoulders.
    """
    return _ADVICE[wish]


def find_triage_faults(
    wish: NaanWish | None, organization: str, acronym: str, address: str
) -> list[tuple[str, str]]:
    """What is wrong with what somebody says of themselves: pairs of a field and a sentence."""
    faults = [
        (field, f"{label} has {len(text):,} characters. Enter {LONGEST_HOLDER} at most.")
        for field, label, text in (
            ("organization", "The name", organization),
            ("acronym", "The acronym", acronym),
            ("address", "The web host", address),
        )
        if len(text) > LONGEST_HOLDER
    ]
    if address and (wrong := next(web_address_faults(address_of_host(address)), None)):
        faults.append(("address", wrong[1]))
    if wish is not None and wish.needs_holder and not organization:
        told = "Enter the name of the organization, so that its NAAN is found if it has one."
        faults.append(("organization", told))
    if wish is None:
        faults.append(("wish", "Choose what you want."))
    return faults


def address_of_host(host: str) -> str:
    """The web address that somebody means who may have typed a host alone; empty for nothing."""
    return host if "://" in host or not host else f"https://{host}/"
