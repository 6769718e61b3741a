"""Verbs of a whole scope: list sessions, export, import, erase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError, NotFoundError
from bethink.memory.scope_handle import ScopeHandle
from bethink.notes import transactions
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.scope.labels import label
from bethink.sessions import log_lookup
from bethink.sessions.items import DEFAULT_SESSION
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.lifecycle.erase.values import Receipt, Subject
    from bethink.lifecycle.exchange.values import Format, Imported
    from bethink.sessions.values import SessionInfo


class ExportAndEraseVerbs(ScopeHandle):
    """Verbs that act on everything in a scope."""

    async def sessions(self, *, limit: int = 100, cursor: str | None = None) -> Page[SessionInfo]:
        """List the sessions, most recently written first.

        Args:
            limit: Maximum number of results.
            cursor: The `next` of the previous page.
        """
        end = log_lookup.END
        before = from_cursor(cursor, int, int) if cursor is not None else (end, end)
        found, total, more = await self._runtime.read_log(
            log_lookup.listing, self.namespace, limit=check_limit(limit), before=(before[0], before[1])
        )
        return Page(tuple(found), total, to_cursor(*more) if more else None)

    async def erase(
        self, *, note: str | None = None, session: str | None = None, items: bool = False
    ) -> Receipt:
        """Destroy a note, a session or the whole scope for good, verify that, and return a receipt.

        History, items, passages, vectors and records go too, and a tombstone stays that imports respect.
        `receipt.remaining` counts the places where something was still found; it is 0 after a clean erasure.

        The words of a note go from notebooks and from what workspaces made of them, but the conversation that it was
        drawn from stays, and `receipt.items` names what of it says the same. With `items=True` those items are
        emptied in their places, wherever else its words stand in the log they are taken out, and so are they in the
        conversations of workspaces.

        Args:
            note: The id of a note to erase, with its history.
            session: The session to erase, with the notes made in it.
            items: With a note: also empty the conversation items that it was learned from.

        Raises:
            NotFoundError: there is no such note or session.
            InvalidError: both a note and a session are named, or items are to go and no note is named.
        """
        from bethink.lifecycle.erase import transactions as erasing
        from bethink.lifecycle.erase.service import without_notes, without_session
        from bethink.memory.erasure_receipts import receipt

        if note is not None and session is not None:
            raise InvalidError("pass either note or session, not both", argument="session")
        if items and note is None:
            raise InvalidError(
                "items needs note: the items are those that the note was drawn from", argument="items"
            )
        if session is not None:
            session = label(session, argument="session")
        runtime = self._runtime
        writing = runtime.writing()
        subject: Subject
        if note is not None:
            subject = "note"
            erased = await runtime.write(
                "delete",
                erasing.erase_note,
                self.namespace,
                note,
                without=without_notes,
                writing=writing,
                items=items,
            )
        elif session is not None:
            subject = "session"
            erased = await runtime.write(
                "delete",
                erasing.erase_session,
                self.namespace,
                session,
                without=without_session,
                writing=writing,
            )
        else:
            subject = "namespace"
            erased = await runtime.write("delete", erasing.erase_scope, self.namespace, writing=writing)
        for mirror in runtime.mirrors if note is None else ():
            if session is not None:
                gone = int(await mirror._forget(self.namespace, session))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            else:
                gone = await mirror._forget_where(lambda each: each == self.namespace)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            erased.count("mirror files", gone)
        for mirror in runtime.mirrors:
            for name in sorted(erased.reworded):
                await mirror._after_turn(self.namespace, name)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return await receipt(runtime, subject, erased, writing=writing, namespace=self.namespace)

    async def _erase_notes(self, ids: Iterable[str]) -> Receipt:
        """Destroy some notes with the items that they were drawn from; one receipt is made out for all of them.

        What is not there any more is passed over: it may have been erased with another of them.
        """
        from bethink.lifecycle.erase.service import without_notes
        from bethink.lifecycle.erase.transactions import Erased, erase_note
        from bethink.memory.erasure_receipts import receipt

        runtime = self._runtime
        writing = runtime.writing()
        erased = Erased()
        for each in ids:
            try:
                erased.join(
                    await runtime.write(
                        "delete",
                        erase_note,
                        self.namespace,
                        each,
                        without=without_notes,
                        writing=writing,
                        items=True,
                    )
                )
            except NotFoundError:
                continue
        for mirror in runtime.mirrors:
            for name in sorted(erased.reworded):
                await mirror._after_turn(self.namespace, name)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return await receipt(runtime, "note", erased, writing=writing, namespace=self.namespace)

    async def export(
        self,
        *,
        format: Format = "bethink",  # noqa: A002
        session: str | None = None,
    ) -> dict[str, Any]:
        """Return everything in the scope as JSON.

        `import_json` reads it.

        With `format="seed"` it is the state file of the context personalization cookbook: fields, live notes (of
        sessions those of `session`, or all) and trips; it has no room for history, logs and other records.

        Args:
            format: bethink, or seed for a state file with profile, global_memory, session_memory and trip_history.
            session: With the format seed: only the notes of this session as session notes.

        Raises:
            InvalidError: the format is not known.
        """
        from bethink.lifecycle.exchange.workspaces import exported_workspaces
        from bethink.memory.exports import notes_json, session_json

        if format == "seed":
            return await self._export_state(None if session is None else label(session, argument="session"))
        if format != "bethink" or session is not None:
            raise InvalidError(
                "format must be 'bethink', or 'seed' with or without a session", argument="format"
            )
        sessions: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = await self.sessions(limit=100, cursor=cursor)
            sessions += [await session_json(self._runtime, self.namespace, info.id) for info in page]
            cursor = page.next
            if cursor is None:
                break
        notes, _ = await self._runtime.read(
            transactions.listing, self.namespace, now=0, status=None, everywhere=True
        )
        return {
            "format": "bethink-export",
            "version": 1,
            "namespace": str(self.namespace),
            "tenant": self.namespace.tenant,
            "profile": await self.profile.export(),
            "records": await self.records.export(),
            "documents": await self.documents.export(),
            "notes": [notes_json(note) for note in sorted(notes, key=lambda note: note.id)],
            "history": await self._runtime.read(transactions.full_history, self.namespace),
            "sessions": sorted(sessions, key=lambda session: session["session"]),
            "workspaces": await self._runtime.read(exported_workspaces, self.namespace),
        }

    async def _export_state(self, session: str | None) -> dict[str, Any]:
        from bethink.lifecycle.exchange.state_file import write as write_state
        from bethink.state import transactions as state_units

        notes, _ = await self._runtime.read(
            transactions.listing, self.namespace, now=self._runtime.now(), everywhere=True
        )
        records = await self._runtime.read(state_units.all_records, self.namespace)
        chosen = [note for note in notes if note.session is None or session in {None, note.session}]
        return write_state(await self.profile.get(), chosen, records)

    async def import_json(
        self, data: Mapping[str, Any], *, session: str = DEFAULT_SESSION, revive: bool = False
    ) -> Imported:
        """Import an export or a state file, completely or not at all.

        What is here already stays as it is, so that importing twice changes nothing. What was erased does not come
        back, and the guard looks at every note; the answer says what was left out, and why. `session` is whose notes
        a state file's session notes become. `revive` lets notes, sessions and namespaces that were erased come back.

        Args:
            data: The export.
            session: The session for the session notes of a state file.
            revive: Also restore what has been deleted or erased here since.

        Raises:
            InvalidError: it is neither of them, or a part of it is broken; `argument` names that.
            ConflictError: with `revive`, the user or the tenant was erased as a whole.
            DeniedError: the principal may not write here, or, with `revive`, not delete.
        """
        from bethink.lifecycle.exchange.service import prepare_import
        from bethink.lifecycle.exchange.transactions import take_in

        runtime = self._runtime
        session = label(session, argument="session")
        await self._runtime.check("write", self.namespace)
        if revive:
            await self._runtime.check("delete", self.namespace)
        writing = runtime.writing()
        incoming = await runtime.store.call(
            prepare_import,
            data,
            namespace=str(self.namespace),
            session=session,
            now=to_datetime(writing.now),
            by=writing.actor,
            guard=runtime.guard,
        )
        return await runtime.write(
            "write",
            take_in,
            self.namespace,
            incoming,
            check=runtime.schema.check,
            revive=revive,
            writing=writing,
        )
