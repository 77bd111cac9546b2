"""Names as an edition resolves them: where they lead, their pages, and the services of RFC 2169."""
