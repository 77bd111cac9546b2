"""The operator's desk: registering, claims, corrections, panels, organizations, mail, status."""
