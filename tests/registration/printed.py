"""RFCs as they are printed, made up for tests: chapters, templates of both forms, and pages."""

from collections.abc import Iterator

PAGE = 40  # lines
NUMBER = 5999

INTRODUCTION = """\
1.  Introduction

   This document registers two namespaces of quokkas.  Namespace ID and
   the other words of the form stand in a sentence here.
"""

EARLIER = """\
2.  Specification Template

   The form is that of RFC 3406.

   Namespace ID:

      "quokka" requested.

   Registration Information:

      Registration Version Number: 1
      Registration Date: 2008-11-03

   Declared registrant of the namespace:

      The Quokka Society
      1 Rottnest Road
      Perth

   Declaration of structure:

      Every name has a colour and a number, of which the number is
      that in the Book of Quokkas, which has been kept since the
      Society was founded, and which everybody may read who asks for
      it by the name "Society's Book" or by
      Colour.

   Identifier uniqueness considerations:

      No number is given out twice.

   Process of identifier assignment:

      The Society gives them out.

   Process of identifier resolution:

      Names are not resolved.

   Scope:

      Global.
"""

TODAY = """\
3.  Another Template

3.1.  Namespace Identifier

   wombat

3.2.  Version

   1

3.3.  Date

   2008-11-04

3.4.  Registrant

   The Quokka Society

3.5.  Purpose

   Wombats are not quokkas.

3.6.  Syntax

   A number.

3.6.1.  Numbers

   They are written in figures.

3.7.  Assignment

   The Society gives them out.

3.8.  Security and Privacy

   None.

3.9.  Resolution

   None.

3.10.  Revision Information

   None.

3.11.  Pictures

   This section is of the document, and of no template.
"""

END = """\
4.  IANA Considerations

   The registration information stands above.

5.  Security Considerations

   None.

Author's Address

   Robin Quokka
   Perth
"""

CONTENTS = """\
Table of Contents

   1.  Introduction
   2.  Specification Template
   3.  Another Template
     3.1.  Namespace Identifier
     3.2.  Version
     3.3.  Date
     3.4.  Registrant
   4.  IANA Considerations
"""

CHANGE = """\
2.  Registration Update

   This replaces some fields.

   Registration Information:

      Version: 2
      Date: 2010-01-01

   Declared registrant of the namespace:

      The Wombat Society
"""


def printed(*chapters: str, number: int = NUMBER, per_page: int = PAGE) -> str:
    """An RFC with its head, and with the foot and head of a page after so many lines."""
    head = f"Network Working Group\nRequest for Comments: {number}        R. Quokka\n"
    lines = "\n".join([head, *chapters]).split("\n")
    return "\n".join(_paged(lines, number, per_page)) + "\n"


def _paged(lines: list[str], number: int, per_page: int) -> Iterator[str]:
    for at, line in enumerate(lines, 1):
        yield line
        if at % per_page == 0:
            page = at // per_page
            yield from ("", "", f"{'Quokka':<29}{'Informational':<37}[Page {page}]", "\f")
            yield f"RFC {number:<26}Names of Quokkas{'November 2008':>26}"
            yield from ("", "")
