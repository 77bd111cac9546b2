"""Mail as a channel: incoming messages, delivery of the outbox, reminders, reply addresses,
mail choices, and tokens that leaked by mail.
"""
