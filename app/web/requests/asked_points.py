"""What was asked of a text, as the pages of its next draft show it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from app.registration.declarations.registries import Field, FormSection
from app.registration.submissions.text_points import BESIDE_TEMPLATE
from app.services.refusals import InvalidInput, NotAllowed
from app.services.requests.drafts import OpenDraft, open_draft
from app.services.requests.request_points import AnsweredPoint, points_of_draft
from app.web.actions.form_submission import field_of_refusal
from app.web.forms.request_forms import IdempotentForm, asked_fields
from app.web.middleware.session import required_actor


@dataclass(frozen=True, slots=True)
class SectionPoints:
    """What was asked of the fields of one page, of no page's field, and how much is open."""

    here: tuple[AnsweredPoint, ...]
    of_whole: tuple[AnsweredPoint, ...]
    open_in: Counter[str]

    @property
    def words(self) -> list[str]:
        """All that is shown, to be rendered at once."""
        return [one.of.point.words for one in (*self.here, *self.of_whole)]

    def of(self, field: str) -> list[AnsweredPoint]:
        """What was asked of one field."""
        return [one for one in self.here if one.of.point.field == field]


def section_points(writing: OpenDraft, section: FormSection) -> SectionPoints:
    """What was asked of the text that was sent last, for one page of the form."""
    points = points_of_draft(writing)
    names = {each: {field.name for field in _fields(writing, each)} for each in FormSection}
    drawn = set().union(*names.values())
    return SectionPoints(
        here=tuple(one for one in points if one.of.point.field in names[section]),
        of_whole=tuple(one for one in points if one.of.point.field not in drawn),
        open_in=count_open_points(points),
    )


def _fields(writing: OpenDraft, section: FormSection) -> tuple[Field, ...]:
    beside = (field for field in BESIDE_TEMPLATE if field.section is section)
    return (*asked_fields(section, writing.registry, writing.purpose), *beside)


def count_open_points(points: Iterable[AnsweredPoint]) -> Counter[str]:
    """How many points of each field have no answer yet."""
    return Counter(one.of.point.field for one in points if one.is_open)


def points_of_request(number: int, today: str) -> tuple[AnsweredPoint, ...]:
    """What a text has to answer before it goes back; nothing where it was sent meanwhile."""
    try:
        return points_of_draft(open_draft(required_actor(), number, today))
    except NotAllowed:
        return ()


def field_of_answer(error: Exception, form: IdempotentForm) -> str:
    """A point that has no answer is refused where it is asked; one that is not asked, nowhere."""
    if isinstance(error, InvalidInput):
        return error.field if error.field in form else ""
    return field_of_refusal(error, form)
