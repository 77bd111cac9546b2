"""Who may do what: accounts, sessions, roles, panels, recognized organizations, delegates, and
the counts and answers kept for a key.
"""
