"""Small templates in the manner of each era, invented: what each is read as."""

import pytest

from app.registration.records.registry_records import TemplateStyle
from app.registration.templates.template_reader import read_template

FROM_2611 = """\
   Namespace ID:

      WOMBAT requested.

   Registration Information:

      Registration Version Number: 1
      Registration Date: 1999-11-30

   Declared registrant of the namespace:

      Burrow Society
      1 Hill Road

   Declaration of structure:

      One figure after another:

         wombat = 1*DIGIT

   Relevant ancillary documentation:

      The Book of Burrows.

   Identifier uniqueness considerations:

      Each is given once.

   Identifier persistence considerations:

      Never given again.

   Process of identifier assignment:

      By post.

   Process of identifier resolution:

      None.

   Rules for Lexical Equivalence:

      Figures are compared.

   Conformance with URN Syntax:

      Full.

   Validation mechanism:

      None.

   Scope:

      Global.
"""

FROM_A_DOCUMENT = """\
5.  URN Namespace ID Registration for the Wombat

   This section is the registration.

   Namespace ID:

      "wombat" requested

   Registration information:

      Registration version: 1; registration date: 2008-07-24

   Declared registrant of the namespace:

      Registering organization:  Burrow Society

      Designated contact:  The Secretary, secretary@burrow.example

   Declaration of syntactic structure:  As follows:

         WOMBAT-URN = "urn:wombat:" 1*DIGIT

   Relevant ancillary documentation:  None

   Namespace considerations:  Others have no figures.

   Community considerations:  Wombats gain.

   Process for identifier resolution:  None.

   Validation mechanism:  Not specified

   Scope:  Global

6.  Examples of Use

   An example of use.

7.  Security Considerations

   There are none but those of RFC 3406.

8.  IANA Considerations

   IANA registers the namespace.

9.  References

   [RFC3406]  Somebody, "Something", 2002.
"""

FROM_TODAY = """\
A.1.  Registration Template

   Namespace Identifier:  wombat

   Version:  2

   Date:  2018-04-09

   Registrant:
      Burrow Society
      Email: urn@burrow.example

   Purpose:  See Section 3 of RFC 9999.

   Syntax:  See Section 4 of RFC 9999.

   Assignment:  See Section 4 of RFC 9999.

   Security and Privacy:  See Section 7 of RFC 9999.

   Interoperability:  None known.

   Resolution:  None.

   Documentation:  RFC 9999

   Revision Information:
      The whole was written anew.
"""


def test_a_template_of_rfc_2611_is_read() -> None:
    read = read_template(FROM_2611)
    assert (read.style, read.unplaced) == (TemplateStyle.RFC3406, ())
    assert list(read.fields) == [
        *("namespace_identifier", "version", "date", "registrant", "purpose", "syntax"),
        *("assignment", "resolution", "documentation", "additional_information"),
    ]
    assert read.fields["registrant"].endswith("Burrow Society\n1 Hill Road")
    assert "wombat = 1*DIGIT" in read.fields["syntax"]
    assert "Full." in read.fields["syntax"]


def test_a_template_within_a_document_is_read_with_the_sections_around_it() -> None:
    read = read_template(FROM_A_DOCUMENT)
    assert read.style is TemplateStyle.RFC3406
    assert read.fields["namespace_identifier"] == '"wombat" requested'
    assert (read.fields["version"], read.fields["date"]) == ("1", "2008-07-24")
    assert "secretary@burrow.example" in read.fields["registrant"]
    assert read.fields["security_and_privacy"] == (
        "7.  Security Considerations\nThere are none but those of RFC 3406."
    )
    assert "Wombats gain." in read.fields["purpose"]
    assert "[RFC3406]" in read.fields["documentation"]
    assert [piece.text.split("\n")[0] for piece in read.unplaced] == [
        "5.  URN Namespace ID Registration for the Wombat",
        "This section is the registration.",
        "6.  Examples of Use",
        "8.  IANA Considerations",
    ]


def test_a_template_in_an_appendix_is_read() -> None:
    read = read_template(FROM_TODAY)
    assert read.style is TemplateStyle.RFC8141
    assert read.fields["purpose"] == "See Section 3 of RFC 9999."
    assert read.fields["registrant"] == "Burrow Society\nEmail: urn@burrow.example"
    assert read.fields["revision_information"] == "The whole was written anew."
    assert "additional_information" not in read.fields


@pytest.mark.parametrize("text", [FROM_2611, FROM_A_DOCUMENT, FROM_TODAY])
def test_it_is_read_the_same_as_it_is_quoted(text: str) -> None:
    quoted = "".join(f"> {line}\n" for line in text.split("\n"))
    assert read_template(f"On Monday somebody wrote:\n\n{quoted}").fields == (
        read_template(text).fields
    )


def test_version_and_date_as_headings_of_their_own_below_the_one_of_both() -> None:
    text = (
        "   Namespace ID: quokka\n\n   Registration Information:\n\n"
        "   Registration version number: 2\n\n   Registration date: 2014-01-12\n\n"
        "   Declared registrant of the namespace:\n\n      Quokka Society\n"
    )
    fields = read_template(text).fields
    assert (fields["version"], fields["date"]) == ("2", "2014-01-12")
