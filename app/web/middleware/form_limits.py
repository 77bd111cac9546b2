"""How much is taken at once."""

LARGEST_BODY = 1024 * 1024  # octets: three long fields, each octet of them written as %XX
MOST_FIELDS = 200
LARGEST_UPLOAD = 6 * LARGEST_BODY  # octets: a file of 5 MB, and what is typed beside it
