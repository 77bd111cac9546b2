"""What tells other programs that the registry is there and how its files belong together: Link
headers, the sitemap, schema.org, NAPTR records.
"""
