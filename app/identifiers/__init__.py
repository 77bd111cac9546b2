"""Names by their specifications alone: URN, NID, ARK, Noid. Imports only the standard library."""
