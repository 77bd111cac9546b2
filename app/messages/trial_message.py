"""The message that an operator sends to see whether mail goes out."""

from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime


def compose_trial(
    sender: str, recipient: str, *, base_url: str, message_id: str, date: datetime
) -> EmailMessage:
    """A message that says what it is for; ValueError where an address would break a header.

    Source: RFC 5322.
    """
    message = EmailMessage()
    message["Subject"] = "A test of the registry’s mail"
    message["From"], message["To"] = sender, recipient
    message["Date"], message["Message-ID"] = format_datetime(date), message_id
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(
        f"The registry at\n\n{base_url}\n\nsent this to see whether its mail arrives. It does.\n"
        "Nobody needs to answer.\n"
    )
    return message
