"""A process that copies a store until it is done or killed, and says how far it has come.

    python copier.py SOURCE TARGET PAUSE

With PAUSE = n the n-th batch stops in the middle of its transaction and waits to be killed; 0 never does.
"""

import os
import sys
import time

from bethink.storage import copying
from bethink.storage.copying import Copy


def say(word):
    os.write(1, f"{word}\n".encode())


def stop_in_batch(number):
    """Make the n-th batch stop after its rows, before its commit."""
    plain, count = copying._put, iter(range(1, 1 << 30))

    def put(*args):
        stops = next(count) == number
        yield from plain(*args)
        if stops:
            say("inside")
            time.sleep(600)

    copying._put = put


def main(source, target, pause):
    if pause:
        stop_in_batch(pause)
    say("began")
    with Copy(source, target, most=40) as copy:
        copy.run(lambda rows: say("moved"))
    say("done")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
