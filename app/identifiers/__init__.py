"""Names by their specifications alone: URN and NID. Imports the standard library, nothing else."""
