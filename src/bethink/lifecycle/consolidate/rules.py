"""Turn session notes into global ones by rules: no model, the same answer every time.

Notes are taken in the order of time, whatever order they come in. Each session note is compared with the global notes
that speak of the same, and ends with one outcome; global notes are compared among themselves in the same way, whoever
wrote them. A conflict is won by the more trusted source, then by the later day; on the same day by the session. Two
global notes of the same instant stand side by side, and one that has a key gives way only to a session.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.content_words import code_of
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.candidates import Entries, labels
from bethink.lifecycle.consolidate.duplicates_and_conflicts import (
    conflicting,
    likeness,
    replaces_wholly,
)
from bethink.lifecycle.consolidate.endings import (
    Gist,
    ends,
    gist_of,
    likely_ended,
    may_end,
    of_one,
)
from bethink.lifecycle.consolidate.entries import Entry, rank, reading, when
from bethink.lifecycle.consolidate.nearest_notes import Nearness, close_notes, vectors_of
from bethink.lifecycle.consolidate.outcomes import proposal
from bethink.lifecycle.consolidate.pair_score import Clauses
from bethink.lifecycle.consolidate.remainders import remainder
from bethink.lifecycle.consolidate.restatements import Pair, comparable, said_again
from bethink.lifecycle.consolidate.retention import RETENTION, ephemeral, has_expired, since
from bethink.lifecycle.consolidate.words import canonical, normalised, plain, words
from bethink.lifecycle.values import Keep, Retire
from bethink.notes.values import CORE, is_closed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from bethink.lifecycle.consolidate.attributes import Reading
    from bethink.lifecycle.consolidate.retention import Retention
    from bethink.lifecycle.values import Proposal
    from bethink.models.embedding import Embedder
    from bethink.notes.values import Note

OFTEN: Final = 10  #: notes that may share a word that still tells which is meant
DOUBTFUL: Final = 0.5  #: below it, what nobody said is not remembered for good
_KINDS: Final = ("exact", "near", "meaning")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|;\s+")
_CLAUSE: Final = re.compile(r",\s+|[，、；]")


class RulesConsolidator:
    """Proposes what becomes of session notes; an embedder lets it see other wordings of the same."""

    engine = "rules"

    def __init__(
        self, embedder: Embedder | None = None, retention: Mapping[str, Retention] = RETENTION
    ) -> None:
        self._embedder = embedder
        self._retention = retention

    def propose(
        self,
        session_notes: Sequence[Note],
        global_notes: Sequence[Note],
        *,
        now: datetime,
        embed: NDArray[np.float32] | None = None,
        settled: datetime | None = None,
    ) -> Proposal:
        """Return the changes that session notes call for.

        Global notes written after `settled` are compared with all others; those before it were compared with each
        other already. Without it all of them are compared, and the trained score is asked of session notes alone.

        `embed` holds a vector of length 1 for each session note, then for each global note, in the order given;
        without it the embedder makes them, where there is one.
        """
        notes = [*session_notes, *global_notes]
        if embed is None and session_notes:
            embed = vectors_of(notes, self._embedder)
        nearness = Nearness(session_notes, notes, embed)
        known = _in_time(global_notes)
        fresh = [note for note in known if settled is None or note.updated_at > settled]
        among = {note.id for note in fresh}
        new = {note.id for note in session_notes}
        if settled is not None:
            new |= among
        sees = self._embedder is not None or embed is not None
        said = _in_time(session_notes)
        again = _restatements([*said, *fresh], _in_time([*said, *known])) if sees else {}
        work = _Consolidation(nearness, now, self._retention, new, again)
        for note in known:
            if note.id not in among:
                work.know(note)
        for note in fresh:
            work.reconcile(note)
        for note in said:
            work.take(note)
        return proposal([*work.entries.all, *work.handed_over], work.closed, work.kept, engine=self.engine)


def _restatements(fresh: Sequence[Note], notes: Sequence[Note]) -> dict[str, list[str]]:
    """Return which notes say the same in other words, by the id of either, the nearest first; all in order of time."""
    near, place = close_notes(fresh, notes), {note.id: place for place, note in enumerate(notes)}
    close = {
        frozenset({note.id, other.id}): sorted((note, other), key=lambda each: place[each.id])
        for note in fresh
        for other in near.get(note.id, ())
        if note.key is None and other.key is None
    }
    pairs = [(new, old) for old, new in close.values() if comparable(gist_of(new), gist_of(old))]
    found = said_again([Pair(gist_of(new), gist_of(old)) for new, old in pairs])
    again: dict[str, list[str]] = {}
    for (new, old), same in zip(pairs, found, strict=True):
        if same:
            again.setdefault(new.id, []).append(old.id)
            again.setdefault(old.id, []).append(new.id)
    return again


def _in_time(notes: Iterable[Note]) -> list[Note]:
    live = (note for note in notes if note.status == "active" and not is_closed(note))
    return sorted(live, key=lambda note: (since(note), note.revision, note.id))


class _Wording(NamedTuple):
    """A note's words, as others are found by them."""

    plain: str  #: as equal texts are compared
    labels: set[str]  #: by which it finds others, and they find it


@dataclass(slots=True)
class _Consolidation:
    """One consolidation under way."""

    nearness: Nearness
    now: datetime
    retention: Mapping[str, Retention]
    fresh: set[str]  #: notes that the trained score was not asked of yet
    again: Mapping[str, Sequence[str]]  #: notes with those that they say again in other words
    entries: Entries = field(default_factory=Entries)
    handed_over: list[Entry] = field(
        default_factory=list[Entry]
    )  #: what stood under a key that has new words
    closed: list[Retire] = field(default_factory=list[Retire])  #: notes that end without a successor
    kept: list[Keep] = field(default_factory=list[Keep])
    wordings: dict[str, Entry] = field(default_factory=dict[str, Entry])
    latest: tuple[int, datetime] | None = None  #: the most trusted and newest note so far
    holders: dict[str, Entry] = field(default_factory=dict[str, Entry])  #: of notes, by their ids
    gists: dict[str, Gist] = field(default_factory=dict[str, Gist])
    clauses: Clauses = field(default_factory=Clauses)  #: as the learnt score weighs them, once it is asked
    weighed: list[Entry] = field(default_factory=list[Entry])  #: whose clauses they are
    begun: Counter[str] = field(default_factory=Counter[str])  #: how many notes begin so
    word_counts: Counter[str] = field(default_factory=Counter[str])  #: how many notes have a word
    common: set[str] = field(default_factory=set[str])  #: words that many notes have, and that tell nothing

    def know(self, note: Note) -> None:
        """Take a global note into account."""
        self._see(note)
        if has_expired(note, self.now, self.retention):
            self._close(note, "expired", "its time is over")
            return
        wording = _wording(note.text)
        alike = self.wordings.get(wording.plain)
        if alike is not None and not _two_keys(note, alike):
            alike.join(note)
            self.holders[note.id] = alike
            return
        self._enter(Entry(note=note), wording)

    def reconcile(self, note: Note) -> None:
        """Compare a global note with those that are known."""
        if has_expired(note, self.now, self.retention) or ephemeral(note.text):
            self.know(note)
        else:
            self._compare(note)

    def take(self, note: Note) -> None:
        """Decide what becomes of a session note."""
        judged = "salience" in note.metadata  # distillation said how lasting it is, clause by clause
        once = None if judged else ephemeral(note.text)
        if has_expired(note, self.now, self.retention):
            self._close(note, "expired", "its time is over")
        elif once is not None or note.metadata.get("durable") is False:
            self._close(note, "ephemeral", "said for this session only")
        elif note.expires_at is not None:
            self._close(note, "ephemeral", "it holds until a day that was named")
        elif note.source != "user" and note.confidence is not None and note.confidence < DOUBTFUL:
            self._close(note, "ephemeral", "seen, but said by nobody")
        else:
            self._compare(note)

    def _see(self, note: Note) -> None:
        at = when(note)
        if self.latest is None or at > self.latest:
            self.latest = at

    def _compare(self, note: Note) -> None:
        wording = _wording(note.text)
        near = self.entries.near(wording.labels)
        ended, ending = self._ended(note), self._ending(note)
        self._see(note)
        again = self._restated(note)
        if not near and not ended and not ending and not again and wording.plain not in self.wordings:
            self._enter(_entry(note), wording)
            return
        parsed = reading(note)
        near = [entry for entry in near if entry.reading.about == parsed.about]
        conflicts = [
            entry for entry in near if conflicting(parsed, entry.reading) and not _beside(note, entry)
        ]
        ended = [entry for entry in ended if entry not in conflicts]
        stronger = [entry for entry in conflicts if entry.alive and entry.rank > rank(note)]
        stronger += ending
        if stronger:
            winner = max(stronger, key=lambda entry: (entry.rank, entry.newest, entry.origin.id))
            self._lose(note, winner, wording)
            return
        alike = self._alike(note, parsed, near) or self._worded(parsed, wording.plain)
        alike = [entry for entry in alike if not _two_keys(note, entry)]
        entry = alike[0] if alike else self._taking_over(note, parsed, conflicts)
        entry = self._hold(note, wording, entry, [each for each in again if each not in conflicts])
        for other in alike[1:]:
            if other.origin.key is None and other.shortened is None:
                entry.absorb(other)
                other.superseded_by = entry
        for loser in conflicts:
            if loser is not entry and loser.alive:
                self._override(loser, entry, parsed, note)
        for loser in ended:
            if loser is not entry and loser.alive and likeness(entry.reading, loser.reading) is None:
                self._end(loser, entry, note)

    def _hold(self, note: Note, wording: _Wording, entry: Entry | None, again: Sequence[Entry]) -> Entry:
        """Return the entry that a note joins: one that says the same, in other words too, or one of its own."""
        if entry is not None:
            entry.join(note)
            entry.superseded_by = None
        elif again:
            entry = again[0]
            entry.say_again(note)
            self.wordings.setdefault(wording.plain, entry)
        else:
            entry = _entry(note)
            self._enter(entry, wording)
        self.holders[note.id] = entry
        return entry

    def _lose(self, note: Note, winner: Entry, wording: _Wording) -> None:
        """Let a note go, since what contradicts it is newer or more trusted; with a key it stays."""
        entry = _entry(note)
        if note.session is not None:
            entry.superseded_by = winner
            self._keep(winner, "what a session noted is older, or less trusted", note)
        elif note.key is None and replaces_wholly(winner.reading, reading(note)):
            entry.superseded_by = winner
        self._enter(entry, wording)

    def _alike(self, note: Note, parsed: Reading, near: Sequence[Entry]) -> list[Entry]:
        """Return the entry that says the same, and after it those that say exactly the same.

        Of several, one with a key comes first, then the surest, the global ones, the newest.
        """
        found: list[tuple[tuple[bool, int, bool, bool, datetime, str], Entry]] = []
        nearest, cosine = self.nearness.nearest(note)
        for entry in near:
            kind = likeness(parsed, entry.reading, cosine if nearest and entry.origin.id == nearest else None)
            if kind is not None:
                sure = -_KINDS.index(kind)
                held = entry.note is not None
                found.append((
                    (entry.alive, sure, entry.origin.key is not None, held, entry.newest, entry.origin.id),
                    entry,
                ))  # fmt: skip
        if not found:
            return []
        found.sort(key=lambda pair: pair[0], reverse=True)
        best = found[0][1]
        return [best, *(entry for key, entry in found[1:] if key[1] == 0 and (key[0] or not best.alive))]

    def _restated(self, note: Note) -> list[Entry]:
        """Return the entries that a note says again in other words, where another note stands for each."""
        found = (self.holders.get(id_) for id_ in self.again.get(note.id, ()))
        return [each for each in found if each is not None and each.stands and each.origin.key is None]

    def _worded(self, parsed: Reading, wording: str) -> list[Entry]:
        """Return the entry of the very same words, which may hold nothing to compare."""
        entry = self.wordings.get(wording)
        if entry is not None and entry.empty:
            entry = entry.final
        return [entry] if entry is not None and entry.reading.core == parsed.core else []

    def _taking_over(self, note: Note, parsed: Reading, against: Sequence[Entry]) -> Entry | None:
        """Return the note with a key whose words a session note replaces: under its key the news is found."""
        for entry in against:
            if (
                entry.alive
                and entry.note is not None
                and entry.note.key
                and note.session is not None
                and replaces_wholly(parsed, entry.reading)
            ):
                self.handed_over += entry.hand_over(note.text)
                return entry
        return None

    def _override(self, loser: Entry, winner: Entry, parsed: Reading, note: Note) -> None:
        """Put an entry in the place of another, or of the part of it that no longer holds."""
        if loser.shortened is None and replaces_wholly(parsed, loser.reading):
            if loser.note is not None and loser.note.key:
                self._keep(loser, "it has a key, and what was noted stands beside it", note)
            else:
                loser.superseded_by = winner
            return
        part = _without(loser.shortened or loser.wording().text, parsed, loser.origin.keywords)
        if part == "":
            loser.superseded_by = winner
        elif part is None:
            self._keep(loser, "it says more than what was overridden, and cannot be parted", note)
        else:
            self._shorten(loser, part, winner)

    def _shorten(self, loser: Entry, left: str, winner: Entry) -> None:
        """Leave of an entry what was not overridden; nothing, where another says just that."""
        holder = self.wordings.setdefault(normalised(left), loser)
        if holder is loser or not holder.alive or holder is winner:
            loser.shortened = left
            loser.reread(left)
        else:
            loser.superseded_by = winner

    def _ended(self, note: Note) -> list[Entry]:
        """Return the older entries that a note says do not hold any more, by what they speak of."""
        new, at = self._gist(note), when(note)
        older = ((entry, self._gist(entry.origin)) for entry in self.entries.older(new, at))
        found = [entry for entry, old in older if ends(new, old) and of_one(new, old)]
        if note.id not in self.fresh or not may_end(new, self.begun):
            return found  # the score is asked once, when a note is new: what stands around it changes what it tells
        for entry in self.entries.all[len(self.weighed) :]:
            self.clauses.add(self._gist(entry.origin))
            self.weighed.append(entry)
        likely = likely_ended(new, self.clauses, self.common, lambda row: self._may_give_way(row, note))
        return [*found, *(self.weighed[row] for row in likely if self.weighed[row] not in found)]

    def _may_give_way(self, row: int, note: Note) -> bool:
        """Tell whether the entry whose clause is weighed stands, is older than a note, and about the same."""
        entry = self.weighed[row]
        return entry.stands and entry.when < when(note) and of_one(self._gist(note), self._gist(entry.origin))

    def _ending(self, note: Note) -> list[Entry]:
        """Return the newer entries that say that a note does not hold any more."""
        at, old = when(note), self._gist(note)
        if self.latest is None or self.latest <= at:
            return []  # notes come in the order of time: nothing is newer, or more trusted
        newer = ((entry, self._gist(entry.origin)) for entry in self.entries.newer(old, at))
        return [entry for entry, new in newer if ends(new, old) and of_one(new, old)]

    def _gist(self, note: Note) -> Gist:
        if note.id not in self.gists:
            self.gists[note.id] = gist_of(note)
        return self.gists[note.id]

    def _end(self, loser: Entry, winner: Entry, note: Note) -> None:
        """Put a note in the place of an entry that it ended, or of the part of it that it speaks of."""
        text = loser.shortened or loser.wording().text
        rest = remainder(text, self._gist(note), code_of(text, loser.origin.metadata.get("language")))
        if loser.note is not None and loser.note.key:
            self._keep(loser, "it has a key, and what was noted stands beside it", note)
        elif rest and not _as_meant(rest, text, loser.origin.keywords):
            self._keep(loser, "it says more than what was overridden, and cannot be parted", note)
        elif rest:
            self._shorten(loser, rest, winner)
        else:
            loser.superseded_by = winner
            winner.weighty = winner.weighty or loser.category == CORE

    def _enter(self, entry: Entry, wording: _Wording) -> None:
        gist = self._gist(entry.origin)
        self.entries.add(entry, wording.labels, gist)
        self.wordings.setdefault(wording.plain, entry)
        self.holders[entry.origin.id] = entry
        if gist.frame:
            self.begun[gist.frame] += 1
        for word in gist.words:
            self.word_counts[word] += 1
            if self.word_counts[word] > OFTEN:
                self.common.add(word)

    def _close(self, note: Note, outcome: str, reason: str) -> None:
        self.closed.append(Retire(note=note.id, outcome=outcome, reason=reason))  # pyright: ignore[reportArgumentType]

    def _keep(self, entry: Entry, reason: str, note: Note) -> None:
        if entry.note is not None and note.session is not None:
            self.kept.append(Keep(note=entry.note.id, reason=reason))


def _wording(text: str) -> _Wording:
    listed = words(text)
    return _Wording(plain(listed), labels(listed))


def _entry(note: Note) -> Entry:
    return Entry(session_notes=[note]) if note.session else Entry(note=note)


def _two_keys(note: Note, entry: Entry) -> bool:
    """Tell whether a note and an entry are known by a key each."""
    return note.key is not None and entry.note is not None and entry.note.key is not None


def _beside(note: Note, entry: Entry) -> bool:
    """Tell whether nobody can say which of two global notes came first."""
    return note.session is None and entry.note is not None and since(note) == entry.newest


def _without(text: str, parsed: Reading, keywords: tuple[str, ...]) -> str | None:
    """Return the sentences of a text that do not conflict, or else its clauses; None where they cannot be parted."""
    for edges, joint in ((_SENTENCE, " "), (_CLAUSE, ", ")):
        parts = [each for each in edges.split(text.strip()) if each]
        standing = [each for each in parts if not conflicting(parsed, read(canonical(each), keywords))]
        if len(standing) == len(parts):
            continue
        lost = (each for each in parts if each not in standing)
        if not all(replaces_wholly(parsed, read(canonical(each), keywords)) for each in lost):
            continue
        left = joint.join(standing)
        if edges is _SENTENCE or _stands(left, read(canonical(text), keywords), keywords):
            return left[:1].upper() + left[1:]
    return None


def _as_meant(rest: str, text: str, keywords: tuple[str, ...]) -> bool:
    """Tell whether what is left of a text denies what it denied: "jazz" of "avoids aisle seats and jazz" does not."""
    affirmed = dict(read(canonical(text), keywords).content)
    return all(affirmed.get(word, sign) == sign for word, sign in read(canonical(rest), keywords).content)


def _stands(left: str, whole: Reading, keywords: tuple[str, ...]) -> bool:
    """Tell whether what is left of a sentence says by itself what it said in it."""
    alone = read(canonical(left), keywords)
    return bool(left) and alone.subject == whole.subject and set(alone.content) <= set(whole.content)
