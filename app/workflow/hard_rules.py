"""The hard rules: what refuses a request whatever anybody thinks of it."""

from app.labelled_enum import LabelledEnum


class HardRule(LabelledEnum):
    """A rule that an operator cites who declines what no change of the text can mend.

    The value is on record with the decision, so that it never changes.
    """

    NAME_FORM = "name-form", "The name is none that a namespace can have (RFC 8141 section 2)"
    NAME_TAKEN = "name-taken", "The name is registered or reserved (RFC 8141 section 5)"
    ANSWER_MISSING = (
        "answer-missing",
        "What the template has to say cannot be said (RFC 8141 section 6.4)",
    )
    DATE_FORM = "date-form", "The date is none (RFC 8141 Appendix A)"
    ADDRESS_FORM = "address-form", "Nobody can be reached at the address (RFC 8141 Appendix A)"
    EXAMPLE_NAME = "example-name", "The examples are of another name (RFC 8141 section 6.4.2)"
    NEWER_WORDS = "newer-words", "It would undo what a newer version says (RFC 8141 section 6.2)"
