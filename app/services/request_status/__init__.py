"""Requests as lists show them: whose turn they are, their experts, and the status in words."""
