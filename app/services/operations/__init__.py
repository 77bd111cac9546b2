"""Running an installation: database, shared secret, hosts, the condition of the site,
verification and recovery of what was published, the demonstration.
"""
