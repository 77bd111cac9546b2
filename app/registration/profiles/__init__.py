"""What a namespace says of itself beside its template: resolution, patterns, equivalence, and
the answers, rules, words and documents of these.
"""
