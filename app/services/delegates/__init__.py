"""Who acts for a registrant: invitations, claims, transfers and the contacts of record."""
