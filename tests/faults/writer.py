"""A process that writes until it is killed, and says on its output what it was told.

    python writer.py URL KIND FIRST PAUSE

KIND is one of `KINDS`; writes are numbered from FIRST on. Each line of output is a word and a number: `began`,
`inside` (a transaction is open, and will stay so until the end) or `acknowledged`. With PAUSE = n the n-th write
stops in the middle of its transaction and waits to be killed; 0 never does.
"""

import os
import sys
import time
from datetime import UTC, datetime
from itertools import count

from bethink.ids import Ids, note_id, plan_id
from bethink.lifecycle import plan_application
from bethink.lifecycle.plan_application import Application
from bethink.lifecycle.plans import Plan
from bethink.lifecycle.values import Add, Retire
from bethink.notes import transactions as notes
from bethink.notes.values import NewNote, Note
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import Writing
from bethink.sessions import log_append, log_removal
from bethink.storage import migrations as schema
from bethink.storage.jobs import BlockingJob
from bethink.storage.opening import open_driver
from bethink.testing.writings import message

NOW = datetime.now(UTC)
ALICE = Namespace(name="concierge", user="alice")
IDS = Ids()
ITEMS = 3  #: of one append
KEYS = 7  #: that `revise` writes in turn


def say(word, number):
    os.write(1, f"{word} {number}\n".encode())


def writing():
    return Writing(now=time.time_ns() // 1000, fresh=IDS)


def append(number):
    items = [message(f"{number}:{part}") for part in range(ITEMS)]
    return log_append.append(ALICE, "trip", items, operation=f"op-{number}", writing=writing())


def remember(number):
    return notes.remember(ALICE, NewNote(text=f"note {number}", category="core"), writing=writing())


def revise(number):
    return notes.remember(
        ALICE, NewNote(text=f"text {number}", key=f"key-{number % KEYS}"), writing=writing()
    )


def converse(number):
    """Open a session, write to it, and delete it again when the number is even."""
    name = f"session-{number}"
    yield from log_append.append(ALICE, name, [message(f"{number}")], writing=writing())
    staged = NewNote(text=f"staged {number}", category="conversation", session=name)
    yield from notes.remember(ALICE, staged, writing=writing())
    if number % 2 == 0:
        yield from log_removal.delete(ALICE, name, keep_notes=False, writing=writing())


def consolidate(number):
    """Stage a note, promote it, and close it: what one plan writes."""
    staged, plan = IDS(), IDS()
    word = note_id(staged)
    changes = (
        Add(text=f"promoted {number}", category="settled", sources=(word,), reason="it lasts"),
        Retire(note=word, successor=0, outcome="promoted", reason="it lasts"),
    )
    note = Note(
        id=word,
        text=f"said {number}",
        category="staging",
        session=f"trip-{number}",
        created_at=NOW,
        updated_at=NOW,
    )
    application = Application(
        plan=Plan(id=plan_id(plan), state="proposed", engine="rules", changes=changes),
        number=plan,
        staged=(note,),
        added={0: note_id(IDS())},
    )
    return plan_application.apply(ALICE, application, holder="", writing=writing())


KINDS = {
    "append": append,
    "remember": remember,
    "revise": revise,
    "converse": converse,
    "consolidate": consolidate,
}


def stopping(unit, number):
    """Run a unit up to its last statement but none, say so, and wait for the end."""
    work = unit(number)
    statement = next(work)
    while True:
        rows = yield statement
        if rows:
            say("inside", number)
            time.sleep(600)
        statement = work.send(rows)


def write(driver, unit):
    job = BlockingJob(unit, write=True)
    driver.start(job)
    return job.wait()


def stop_in_migration(after):
    """Make the schema's migration stop after some statements."""
    plain = schema.Migration.statements.fget

    def statements(self):
        for place, text in enumerate(plain(self)):
            if place == after:
                say("inside", 0)
                time.sleep(600)
            yield text

    schema.Migration.statements = property(statements)


def main(url, kind, first, pause):
    if kind == "migrate":
        if pause:
            stop_in_migration(pause)
        say("began", 0)
        migrate(url)
        say("acknowledged", 0)
        time.sleep(600)
    driver = open_driver(url)
    unit = KINDS[kind]
    for number in count(first):
        say("began", number)
        stops = pause and number - first + 1 == pause
        write(driver, lambda stops=stops, number=number: stopping(unit, number) if stops else unit(number))
        say("acknowledged", number)


def migrate(url):
    if url.startswith("postgresql://"):
        from bethink.storage.postgresql import PostgresqlDriver

        PostgresqlDriver.migrate(url)
    else:
        open_driver(url).close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
