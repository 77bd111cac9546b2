"""What comes of a name that somebody follows: one type for each way that it can go."""

from dataclasses import dataclass

from app.registration.profiles.profile_records import ResolutionService, ServiceKind
from app.resolution.judgement import Judgement

_DESCRIPTIONS = frozenset({ServiceKind.DESCRIPTION, ServiceKind.DESCRIPTIONS})


@dataclass(frozen=True, slots=True)
class Destination:
    """A service, and the address at which it answers for one name.

    ``is_registrants``: the registration itself names it.
    """

    service: ResolutionService
    target: str
    is_registrants: bool

    @property
    def is_description(self) -> bool:
        return self.service.kind in _DESCRIPTIONS


@dataclass(frozen=True, slots=True)
class BadSyntax:
    """The text is no URN; the judgement has the fault and its place."""

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Unregistered:
    """Nobody registered the namespace; ``nearest`` are names that it may have been meant for."""

    judgement: Judgement
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImpossibleName:
    """The namespace can have no such name."""

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The namespace was registered once and is no longer."""

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class UnresolvedName:
    """The namespace is registered, and there is no further way from here.

    ``is_meant`` is False where its names are not meant to be resolved.
    """

    judgement: Judgement
    is_meant: bool = True


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """There is a way: the first choice, and others, the better ones first.

    ``is_negotiated``: what the asker prefers has a say in which is the first.
    """

    judgement: Judgement
    first: Destination
    alternates: tuple[Destination, ...] = ()
    is_negotiated: bool = False


@dataclass(frozen=True, slots=True)
class EqualChoice:
    """There are equals among which the asker chooses; the preferred one stands first."""

    judgement: Judgement
    choices: tuple[Destination, ...]
    is_negotiated: bool = False


Outcome = (
    BadSyntax
    | Unregistered
    | ImpossibleName
    | Withdrawn
    | UnresolvedName
    | ResolvedName
    | EqualChoice
)
