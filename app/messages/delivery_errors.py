"""Why a mail server did not take a message, and what that means for the next attempt."""


class DeliveryError(OSError):
    """The server did not take a message, in the words given; later it may."""


class MessageRejected(DeliveryError):
    """The server refuses this message for good: it answered 5yz to its recipient or its text.

    Source: RFC 5321 section 4.2.1.
    """


class MessageDeferred(DeliveryError):
    """The server does not take this message now, by an answer to its recipient or its text."""


class MailAccessRefused(DeliveryError):
    """The server refuses whoever sends with these settings, whatever the message is."""
