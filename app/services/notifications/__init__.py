"""Messages about what happened, put into the outbox in the transaction of the event, and the
threads and attributions that they carry.
"""
