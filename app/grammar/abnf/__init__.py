"""ABNF as people write it (RFC 5234, RFC 7405): rules found in prose, lexed, parsed, and what was
noted on the way."""
