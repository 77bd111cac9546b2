"""The hard rules: what refuses a request whatever anybody thinks of it."""

from app.labelled_enum import LabelledEnum


class HardRule(LabelledEnum):
    """A rule that an operator cites who declines what no change of the text can mend.

    The value is on record with the decision, so that it never changes.
    """

    NAME_FORM = "name-form", "The NID is not valid (RFC 8141 section 2)"
    NAME_TAKEN = "name-taken", "The NID is registered or reserved (RFC 8141 section 5)"
    ANSWER_MISSING = (
        "answer-missing",
        "A required answer can’t be given (RFC 8141 section 6.4)",
    )
    DATE_FORM = "date-form", "The date is not valid (RFC 8141 Appendix A)"
    ADDRESS_FORM = "address-form", "The address can’t be reached (RFC 8141 Appendix A)"
    EXAMPLE_NAME = "example-name", "The examples use another NID (RFC 8141 section 6.4.2)"
    NEWER_WORDS = "newer-words", "The revision would undo a newer version (RFC 8141 section 6.2)"
