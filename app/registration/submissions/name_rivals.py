"""What is said of a name that others ask for too, or that IANA registered for one of them."""

MOST_RIVALS = 3  # that are told of one name


def rival_sentence(number: int, name: str, wanted: str) -> str:
    """That a request asks for the folded name that is wanted, or for one that reads like it.

    Source: RFC 8141 section 6.4.1, point 1.
    """
    what = "this name" if name == wanted else f"`{name}`, which reads like this name,"
    return (
        f"Request {number} asks for {what} too. You can go on; the first that was sent goes first."
    )


def iana_name_sentence(number: int) -> str:
    """That IANA registered a name for a request, which this registry does not show yet."""
    return (
        f"IANA registered this name for request {number}, and a name is given once. Choose another."
    )
