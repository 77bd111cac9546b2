"""NAANs and shoulders of nobody, for tests: each has a target of its own kind."""

from app.registration.records.registry_records import Status
from app.resolution.ark_resolver import (
    ArkHandedOn,
    ArkOutcome,
    ArkResolver,
    BadArkSyntax,
    InflectedArk,
    ResolvedArk,
    UnregisteredNaan,
)
from app.resolution.ark_rules import ArkRedirect, ArkRules, ark_book_of

OWN_HOSTS = ("Site.example:8000", "other.site.example.")

RULES = (
    ArkRules(
        prefix="12345",
        holder="Example Library",
        native_name="Bibliothèque",
        acronym="EXLIB",
        where="https://library.example",
        target="https://library.example/ark:/${content}",
        since="2001-03-08",
        policy=("NR", "CC"),
        policy_text="Kept: at least\nten years.",
        policy_address="https://library.example/policy",
        tenure="2001",
        test_ark="ark:12345/x1",
    ),
    ArkRules(prefix="12345/x5", holder="A project", target="https://project.example/p${suffix}/on"),
    ArkRules(prefix="12345/x55", target="https://project.example/?rest=${suffix}"),
    ArkRules(prefix="12345/x5z", target="https://gone.example/", status=Status.FORMER),
    ArkRules(prefix="12345/v1.b", target="https://variant.example/${suffix}"),
    ArkRules(prefix="21345", target="https://pid.example/?ark=${pid}"),
    ArkRules(prefix="b7280", target="https://doi.example/10.7280/${value}"),
    ArkRules(prefix="20000", target="https://whole.example/{prefix}/{+value}{?pid}"),
    ArkRules(prefix="20001", target="https://fixed.example/page?id=1#top"),
    ArkRules(prefix="20002", target="https://as.example/${content}", takes_verbatim=True),
    ArkRules(
        prefix="20003", target="https://see.example/${content}", redirect=ArkRedirect.SEE_OTHER
    ),
    ArkRules(
        prefix="20004",
        target="http://keeps.example:8080/${content}",
        redirect=ArkRedirect.TEMPORARY_REDIRECT,
    ),
    ArkRules(prefix="30000", holder="Quiet"),
    ArkRules(prefix="30001", target="https:///nowhere.example/ark:/${content}"),
    ArkRules(prefix="30002", target="https://SITE.example./ark:/${content}"),
    ArkRules(prefix="30003", status=Status.FORMER, successor="12345", target="https://x.example/"),
    ArkRules(prefix="99999", target="https://tests.example/${content}"),
    ArkRules(prefix="99999/fk4", target="https://fake.example/${content}"),
    ArkRules(prefix="99999/912345_s5", target="https://shared.example/${content}"),
)
BOOK = ark_book_of(RULES)
RESOLVER = ArkResolver(BOOK, OWN_HOSTS)


def resolved(text: str) -> ArkOutcome:
    """What comes of a text by these rules."""
    return RESOLVER.resolve(text)


def answer(outcome: ArkOutcome) -> tuple[object, ...]:
    """All of an outcome that somebody who asks is told, but for what they asked themselves."""
    kind, rules = type(outcome).__name__, getattr(outcome, "rules", None)
    known = (kind, rules and rules.prefix, outcome.request.normal_form, outcome.request.query)
    match outcome:
        case ResolvedArk() | ArkHandedOn():
            return (*known, outcome.target, rules and rules.redirect, outcome.notes)
        case InflectedArk():
            return (*known, outcome.described_by, outcome.holders)
        case UnregisteredNaan():
            return (*known, outcome.nearest)
        case BadArkSyntax():
            error = outcome.request.error
            return (*known, error and error.code)
        case _:
            return known
