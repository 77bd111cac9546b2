"""What anybody can ask of a name: search, suggestions, availability, rules of resolution, and
whether its services answer.
"""
