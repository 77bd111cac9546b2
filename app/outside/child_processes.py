"""Work in a process of its own, which gets so much memory and time and no more."""

import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile

from app.outside.work_queue import QUEUE

_BLOCK = 64 * 1024


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What a child may take: seconds by the clock, of the processor, octets of memory and output.

    The seconds by the clock begin when it starts; with them it and all it started are killed.
    """

    seconds: float
    processor: int
    memory: int
    output: int


@dataclass(frozen=True, slots=True)
class ProcessOutput:
    """The lines that a child wrote, whole ones alone, and whether it ended by itself and well."""

    lines: tuple[bytes, ...]
    is_whole: bool


def run_child(module: str, given: bytes, limits: ProcessLimits) -> ProcessOutput:
    """Run a module in a fresh interpreter, without the environment, and take what it writes.

    It gets what is given as standard input and is to call ``limit_process`` first. Raises
    WorkQueueFull where it cannot begin soon.
    """
    with QUEUE.turn():
        return _run(module, given, limits)


def _run(module: str, given: bytes, limits: ProcessLimits) -> ProcessOutput:
    deadline = time.monotonic() + limits.seconds
    with TemporaryFile() as standard_input:
        standard_input.write(given)
        standard_input.seek(0)
        child = subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
            _arguments(module),
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            start_new_session=True,
        )
    with child:
        try:
            written, is_ended = _read(child, deadline, limits.output)
            if is_ended:
                with suppress(subprocess.TimeoutExpired):
                    child.wait(max(0.0, deadline - time.monotonic()))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    *lines, rest = written.split(b"\n")
    return ProcessOutput(tuple(lines), is_ended and not rest and child.returncode == 0)


def _arguments(module: str) -> list[str]:
    return [sys.executable, "-I", "-m", module]


def _read(child: "subprocess.Popen[bytes]", deadline: float, most: int) -> tuple[bytes, bool]:
    if child.stdout is None:
        raise RuntimeError("a child without an output")
    written = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while len(written) <= most:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                return bytes(written), False
            block = os.read(child.stdout.fileno(), _BLOCK)
            if not block:
                return bytes(written), True
            written += block
    return bytes(written[:most]), False


def limit_process(limits: ProcessLimits) -> None:
    """Take from this process what it does not need: memory, processor time, files, dumps."""
    for what, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.processor),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(what, (most, most))
