"""What comes of an ARK that somebody follows: one type for each way that it can go."""

from dataclasses import dataclass
from typing import NamedTuple

from app.identifiers.ark_checks import TEST_NAAN
from app.identifiers.corrections import IdentifierCorrection
from app.resolution.arks.ark_requests import ArkRequest
from app.resolution.arks.ark_rules import ArkRules
from app.resolution.judgement import Ground

FOR_TESTS = Ground(
    "test_ark",
    (f"NAAN {TEST_NAAN} is for tests. Its ARKs may disappear at any time, so don't cite them."),
    "The ARK URI scheme section 3.1",
)
AS_IT_CAME = Ground(
    "verbatim",
    "The NAAN holder accepts ARKs as written, so this one is redirected unchanged.",
    "The ARK URI scheme section 6",
)
NO_BASIC_ARK = Ground(
    "handed_on",
    "This is not a valid ARK. It is passed unchanged to the NAAN holder.",
    "The ARK URI scheme section 7.1.2",
)


@dataclass(frozen=True, slots=True)
class BadArkSyntax:
    """The text is no ARK and cannot be handed on; ``request.error`` has the fault and its place.

    ``correction`` is an ARK that it may have been meant for, if one is known.
    """

    request: ArkRequest
    correction: IdentifierCorrection | None = None


@dataclass(frozen=True, slots=True)
class OverlongArk:
    """The text is longer than any that is answered. Source: The ARK URI scheme section 7.1.1."""

    request: ArkRequest


@dataclass(frozen=True, slots=True)
class UnregisteredNaan:
    """Nobody has the NAAN; ``nearest`` are NAANs that it may have been meant for."""

    request: ArkRequest
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WithdrawnNaan:
    """The NAAN was registered once, or by mistake, and its ARKs lead nowhere."""

    request: ArkRequest
    rules: ArkRules


@dataclass(frozen=True, slots=True)
class NaanAlone:
    """A NAAN and nothing after it: what is asked for is its page."""

    request: ArkRequest
    rules: ArkRules


@dataclass(frozen=True, slots=True)
class ShoulderAlone:
    """A shoulder and nothing after it: what is asked for is its page."""

    request: ArkRequest
    rules: ArkRules


@dataclass(frozen=True, slots=True)
class InflectedArk:
    """An ARK with an inflection: what is known of it is asked for, and not what it names.

    ``holders`` are the rules of the shoulder, if it has one, and of the NAAN. ``described_by`` is
    where the holder describes what is named; empty where the ARK leads nowhere.

    Source: The ARK URI scheme section 3.4.
    """

    request: ArkRequest
    holders: tuple[ArkRules, ...]
    described_by: str = ""
    notes: tuple[Ground, ...] = ()

    @property
    def rules(self) -> ArkRules:
        return self.holders[0]


class ResolvedArk(NamedTuple):
    """There is a way. ``rules.redirect`` says how it is to be led on, ``notes`` what to tell."""

    request: ArkRequest
    rules: ArkRules
    target: str
    notes: tuple[Ground, ...] = ()


class ArkHandedOn(NamedTuple):
    """There is a way, for what is no Basic ARK: it goes on as it came, and its holder reads it."""

    request: ArkRequest
    rules: ArkRules
    target: str
    notes: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class UnresolvedArk:
    """The NAAN or shoulder is registered and leads nowhere; ``ground`` says why."""

    request: ArkRequest
    rules: ArkRules
    ground: Ground


@dataclass(frozen=True, slots=True)
class CircularArk:
    """The way leads back to the site that was asked, so that its page is the answer."""

    request: ArkRequest
    rules: ArkRules


ArkOutcome = (
    BadArkSyntax
    | OverlongArk
    | UnregisteredNaan
    | WithdrawnNaan
    | NaanAlone
    | ShoulderAlone
    | InflectedArk
    | ResolvedArk
    | ArkHandedOn
    | UnresolvedArk
    | CircularArk
)
