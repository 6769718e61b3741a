"""The head of a response and its body leave in one write, and nothing waits longer than the event loop needs."""

import asyncio

from bethink.server.connections import JoinedWrites


class Recorded:
    """A transport that notes what it is told."""

    def __init__(self):
        self.calls = []

    def write(self, data):
        self.calls.append(data)

    def close(self):
        self.calls.append("closed")

    def is_closing(self):
        return "closed" in self.calls


def run(act):
    """Return what reaches a transport while something is done with it, and after the event loop went on."""
    recorded = Recorded()

    async def acting():
        act(JoinedWrites(recorded, asyncio.get_running_loop()))
        before = list(recorded.calls)
        await asyncio.sleep(0)
        return before, recorded.calls

    return asyncio.run(acting())


def test_a_head_and_its_body_are_sent_at_once_and_together():
    def act(transport):
        transport.write(b"head ")
        transport.write(b"body")
        transport.write(b"")

    assert run(act) == ([b"head body"], [b"head body"])


def test_a_head_whose_body_is_not_there_yet_is_sent_when_the_loop_goes_on():
    assert run(lambda transport: transport.write(b"head")) == ([], [b"head"])


def test_no_more_than_one_write_is_held_back():
    def act(transport):
        for part in (b"1", b"2", b"3", b"4", b"5"):
            transport.write(part)

    assert run(act) == ([b"12", b"34"], [b"12", b"34", b"5"])


def test_what_was_held_back_is_sent_before_the_connection_is_closed():
    def act(transport):
        transport.write(b"head")
        transport.close()
        assert transport.is_closing()

    assert run(act) == ([b"head", "closed"], [b"head", "closed"])
