"""Signing in and out, who acts for a registrant, and the recovery of a form across a sign-in."""
