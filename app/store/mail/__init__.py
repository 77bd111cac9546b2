"""Correspondence about requests, mail that came in, and messages that wait to be sent."""
