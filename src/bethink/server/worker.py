"""The worker process: run background jobs of given tenants until stopped."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from bethink.server.background.runner import background_of
from bethink.server.chat.runtime import ChatRuntime
from bethink.server.extras import check_installed
from bethink.server.tenants import Tenants
from bethink.server.webhooks.secret_encryption import seals_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bethink.server.background.runner import JobRun
    from bethink.server.options import Options


def run(options: Options, *, tenants: Sequence[str], once: bool, tell: Callable[[JobRun], None]) -> None:
    """Work; SIGTERM and SIGINT stop it once the jobs at hand are done, and a second one at once.

    Args:
        options: how the worker is set up.
        tenants: whose jobs are done.
        once: end when each job that is due was done.
        tell: is told of each run.

    Raises:
        ImportError: the options need an extra that is not installed.
    """
    check_installed(options)
    asyncio.run(_run(options, tenants, tell, once=once))


async def _run(options: Options, named: Sequence[str], tell: Callable[[JobRun], None], *, once: bool) -> None:
    tenants = Tenants(options)
    chat = ChatRuntime(options, tenants)
    seals = seals_for(options.db, options.secrets_key)
    background = background_of(options, tenants, chat, seals, named=named, tell=tell)
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        background.stop()
        loop.remove_signal_handler(number)  # posix: called by one; the next signal is not caught

    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(
            NotImplementedError
        ):  # Windows: Ctrl-C ends the worker, and its leases end by themselves
            loop.add_signal_handler(number, stop, number)
    try:
        await (background.once() if once else background.run())
    finally:
        await background.close()
        await chat.close()
        await tenants.close()
