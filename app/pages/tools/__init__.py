"""What each public tool shows of the texts that somebody entered: URNs, ARKs, templates and
grammars.
"""
