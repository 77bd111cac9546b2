"""The grammar of a namespace: found in a text, checked, and held against the syntax of URNs."""
