"""Processes that do a function of a test, forked from one that has imported the software.

It keeps the environment that there was at its first use: a function that needs another sets it.
"""

from multiprocessing import get_context

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["app.server", "tests.conftest", "tests.torture.sending"])
