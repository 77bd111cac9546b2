"""What the software makes, kept as text: whether a change of its inside is one shows there.

- ``edition.sha256``: each file of the first edition of the registry that is shipped: its SHA-256, a
  digest of its media type, cache rule and links, its address.
- ``pages.sha256``: what a host makes of it besides: pages, site map, shell.
- ``history.sha256``: a digest of all files of each of the editions that IANA published.
- ``answers.txt``: what the published plane answers of it: names, formats, days, copies.
- ``routes.txt``: every address rule with its methods, and what four people get there.
- ``mail.txt``: a letter of each kind, and the letters of each action.
- ``landed/``: a database with mail that waits, and forms that are open in browsers, as the software
  of a migration left them; ``letters-0017.txt`` is the mail of one.

``python -m tests.goldens`` compares all of it; ``--write`` keeps it as it is now, and says so by
``git diff``. Apart stay who made a file, moments, versions, and forms in which a file is packed.
"""
