"""Who acts: accounts, sign-in, sessions, the roles of an actor and what an actor is toward a
request, and how much anybody may ask for.
"""
