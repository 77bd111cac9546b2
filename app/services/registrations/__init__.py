"""What changes a record: registering a name, correcting a record, a person or the registry's
head, profiles, and disputes noted beside a record.
"""
