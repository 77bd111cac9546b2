"""What is said of a name that others ask for too, or that IANA registered for one of them."""

MOST_RIVALS = 3  # that are told of one name


def rival_sentence(number: int, name: str, wanted: str) -> str:
    """Warn that a request asks for the folded name that is wanted, or for a similar one.

    Source: RFC 8141 section 6.4.1, point 1.
    """
    what = "this shoulder" if "/" in wanted else "this NID"
    if name != wanted:
        what = f"`{name}`, which looks like {what}"
    todo = "You can continue; the first one registered gets it."
    return f"Request {number} also asks for {what}. {todo}"


def iana_name_sentence(number: int) -> str:
    """That IANA registered a name for a request, which this registry does not show yet."""
    return f"IANA has already registered this NID for request {number}. Choose another."
