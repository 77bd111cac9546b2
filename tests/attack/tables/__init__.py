"""The product attacked: what was tried, as tables that the next attacker extends.

- A route, or an object in another state: a row of ``routes.TABLE``, with a cell for each of the
  nine who ask (``people.ROLES``), and under ``routes.FIELDS`` what its form sends. A route without
  a row fails; so does a refusal that keeps something, and a use case without its one event.
- A field, a query, a header, a part of a mail or a command with a file: its name in ``places``.
- A text, a token's look, a size: a row of ``texts.KINDS``, ``TOKENS`` or ``DISGUISES``; it then
  goes to some of all places in turn. One that divides databases goes into ``DIVIDING``.
- A way to forge a form: a row of ``test_forgery.FORGERIES``.
- What fits no table is a file of its own, named after the matter.

Write each cell as it must be, from the rules of the procedures and not from what is answered.
"""
