"""Editions, their stored files, and the lock and the digests that publishing them needs."""
