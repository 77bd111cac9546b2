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
_REFERENCE = "These NAANs are meant to resolve, and are suitable for long-term reference."


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
        "ARKs for items my organization keeps",
        "Books, data, specimens, records: anything that needs a lasting identifier.",
    ),
    (
        NaanWish.CHANGE,
        "A change to our NAAN",
        "A new target, organization, contact or policy.",
    ),
    (
        NaanWish.PART,
        "A shoulder under our NAAN",
        "A prefix for a department or project, such as `ark:12345/x5`.",
    ),
    (NaanWish.TERMS, "ARKs for terms of a vocabulary or ontology", ""),
    (NaanWish.AGENTS, "ARKs for people, groups or institutions", ""),
    (NaanWish.TESTS, "ARKs for tests", "They aren't for permanent use."),
    (
        NaanWish.CLIENT,
        "A NAAN for a client",
        "You run the service; the client is responsible for the ARKs.",
    ),
)
"""Each with its label and a hint, in the order in which they are offered."""

_GIVE = (
    "the organization's name, in English if it has one, and in its own language",
    "its web address",
    "the target of its ARKs",
    "its policy: never reassigned (NR), opaque (OP), with a check character (CC)",
    "a contact and e-mail address (never published)",
)
_SHARED_GIVE = (
    "the shoulder you want, such as `x5`: consonants (except `l`), then one digit",
    "your organization's name and web address",
    "the target of its ARKs",
    "a contact and e-mail address (never published)",
)

_ADVICE: dict[NaanWish, NaanAdvice] = {
    NaanWish.NAMES: NaanAdvice(
        title="Request a NAAN",
        sentences=(
            (
                "The registry draws a NAAN for your organization. You can use it for any "
                "number of ARKs, and it is never reassigned."
            ),
            "One NAAN is enough for an organization. Its departments can use shoulders.",
        ),
        source="The ARK Identifier Scheme, on the Name Assigning Authority Number",
        registry=NAANS.id,
        begin="Fill in the form",
        give=_GIVE,
    ),
    NaanWish.CHANGE: NaanAdvice(
        title="Request a change",
        sentences=(
            (
                "A NAAN's managers can change its target, organization, contact and policy, "
                "or end it. If you don't manage it yet, you can claim it first."
            ),
            ("The NAAN and its ARKs stay yours if you change service providers."),
        ),
        source=_ON_NAMESPACES,
        registry=NAANS.id,
        begin="Find your NAAN",
    ),
    NaanWish.PART: NaanAdvice(
        title="Create the shoulder yourself",
        sentences=(
            (
                "You don't need to request shoulders under your own NAAN. Give each "
                "department or project letters that end with a digit, such as `x5`."
            ),
            (
                "Register a shoulder only if it has its own target or a different "
                "organization is responsible for it."
            ),
        ),
        source="The ARK Identifier Scheme, on shoulders",
        registry=SHOULDERS.id,
        begin="Request a shoulder",
        give=_SHARED_GIVE,
    ),
    NaanWish.TERMS: NaanAdvice(
        title=f"Request a shoulder under {TERMS_NAAN}",
        sentences=(
            (
                f"The NAAN {TERMS_NAAN} is shared. It is for terms of vocabularies and "
                "ontologies, such as metadata elements and their values. Its ARKs resolve to "
                "definitions."
            ),
            _REFERENCE,
        ),
        source=_ON_SHARED,
        registry=SHOULDERS.id,
        begin=f"Request a shoulder under {TERMS_NAAN}",
        shared=TERMS_NAAN,
        give=_SHARED_GIVE,
    ),
    NaanWish.AGENTS: NaanAdvice(
        title=f"Request a shoulder under {AGENTS_NAAN}",
        sentences=(
            (
                f"The NAAN {AGENTS_NAAN} is shared. It is for agents: people, groups and "
                "institutions that create, publish or perform. Its ARKs resolve to "
                "descriptions."
            ),
            _REFERENCE,
        ),
        source=_ON_SHARED,
        registry=SHOULDERS.id,
        begin=f"Request a shoulder under {AGENTS_NAAN}",
        shared=AGENTS_NAAN,
        give=_SHARED_GIVE,
    ),
    NaanWish.TESTS: NaanAdvice(
        title=f"Use the test NAAN {TEST_NAAN}",
        sentences=(
            ("It is shared and for tests, development and experiments. Its ARKs may not resolve."),
            (
                f"If you have a NAAN, you don't need a request. Use `ark:{TEST_NAAN}/9` + "
                f"your NAAN + `_`, for example `ark:{TEST_NAAN}/924680_` for 24680. "
                "Otherwise, request a shoulder."
            ),
            f"For examples in documents, use the NAAN {EXAMPLES_NAAN}.",
        ),
        source="arks.org, on testing ARKs",
        registry=SHOULDERS.id,
        begin=f"Request a shoulder under {TEST_NAAN}",
        shared=TEST_NAAN,
        give=_SHARED_GIVE,
    ),
    NaanWish.CLIENT: NaanAdvice(
        title="Request a NAAN for your client",
        sentences=(
            (
                "The client becomes the NAAN holder and keeps the NAAN if it changes "
                "providers. You are listed as its service provider."
            ),
            (
                "Make sure that the client agrees. If it already has a NAAN, request a change "
                "of target instead."
            ),
        ),
        source=_ON_NAMESPACES,
        registry=NAANS.id,
        begin="Fill in the form",
        give=(
            "the client's name (as the organization) and web address",
            "your own name (as the service provider)",
            "the target of its ARKs, at your service",
            "the client's policy for its ARKs",
            "a contact and e-mail address at the client (never published)",
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
        (field, f"{label} is too long. Use at most {LONGEST_HOLDER} characters.")
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
        told = "Enter the name of the organization. It is compared with existing NAAN holders."
        faults.append(("organization", told))
    if wish is None:
        faults.append(("wish", "Choose an option."))
    return faults


def address_of_host(host: str) -> str:
    """The web address that somebody means who may have typed a host alone; empty for nothing."""
    return host if "://" in host or not host else f"https://{host}/"
