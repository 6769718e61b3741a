"""Format results for people: tables and lines of text."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from bethink.cli.terminal_escapes import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from bethink.lifecycle.erase.values import Receipt
    from bethink.lifecycle.inject.values import Context
    from bethink.lifecycle.plans import Plan
    from bethink.lifecycle.review_reasons import Waiting
    from bethink.lifecycle.values import Distilled
    from bethink.notes.values import Note, NoteVersion
    from bethink.pages import Page
    from bethink.recall.values import Hit, Recall, TimelineEntry, Why, WhyNot
    from bethink.sessions.values import Expiry, Head, Item, SessionInfo
    from bethink.state.values import Profile

_NUMBERS = frozenset({"score", "items", "n", "ms", "sessions", "notes"})  #: heads of columns
_WHOLE = frozenset({"id", "R@10", "questions", "when", "written", "ended", "since"})  #: never wrapped
_SHOWN = 600  #: characters of an item in a list


def literal(text: str, style: str = "") -> Text:
    """Return a text of memory as it is printed: it is never read as markup."""
    from rich.text import Text

    return Text(visible(text), style=style)


def dim(text: str) -> Text:
    """Return what is said beside the answer."""
    return literal(text, "dim")


def table(*columns: str) -> Table:
    """Return a table without lines, its heads dim."""
    from rich import box
    from rich.table import Table

    made = Table(
        box=box.SIMPLE_HEAD,
        header_style="dim",
        padding=(0, 1, 0, 0),
        pad_edge=False,
        expand=False,
    )
    for column in columns:
        made.add_column(
            column,
            no_wrap=column in _WHOLE,
            justify="right" if column in _NUMBERS else "left",
            overflow="fold",
        )
    return made


def facts(pairs: Sequence[tuple[str, str | None]]) -> Table:
    """Return names and values beside one another; what has no value is left out."""
    from rich.table import Table

    made = Table.grid(padding=(0, 2))
    for name, value in pairs:
        if value:
            made.add_row(dim(name), literal(value))
    return made


def day(at: datetime | None) -> str:
    """Return the day of an instant."""
    return at.date().isoformat() if at is not None else ""


def minute(at: datetime | None) -> str:
    """Return an instant to the minute, in UTC."""
    return at.strftime("%Y-%m-%d %H:%M") if at is not None else ""


def size(number: int) -> str:
    """Return a number of bytes as people read it."""
    amount = float(number)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:  # noqa: PLR2004 - each unit is a thousand of the one before
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


# ---- notes --------------------------------------------------------------------------------------------------


def note(one: Note) -> RenderableType:
    """One note with all that is known of it."""
    return facts(
        [
            ("note", one.text),
            ("id", one.id),
            ("key", one.key),
            ("category", one.category),
            ("keywords", ", ".join(one.keywords)),
            ("session", one.session),
            ("status", one.status if one.outcome is None else f"{one.status}, {one.outcome}"),
            ("source", ", ".join([one.source, *one.sources])),
            ("written", minute(one.updated_at)),
            (
                "holds",
                f"{day(one.valid_from)} to {day(one.valid_to)}" if one.valid_from or one.valid_to else None,
            ),
            ("expires", minute(one.expires_at)),
            ("metadata", json.dumps(dict(one.metadata), ensure_ascii=False) if one.metadata else None),
        ]
    )


def undone(restored: Note | Plan) -> RenderableType:
    """What stands again: a note, or all that a plan had changed."""
    from bethink.notes.values import Note

    return note(restored) if isinstance(restored, Note) else literal(str(restored))


def notes(page: Page[Note]) -> Sequence[RenderableType]:
    """A part of a list of notes."""
    if not page.total:
        return [dim("no notes")]
    odd = any(each.status != "active" for each in page)
    made = table("id", "note", "category", "keywords", "since", *(["status"] if odd else []))
    for each in page:
        row = [
            dim(each.id),
            literal(each.text),
            literal(each.category),
            literal(", ".join(each.keywords)),
        ]
        row.append(dim(day(each.valid_from or each.created_at)))
        made.add_row(*row, *([literal(each.status)] if odd else []))
    return [made, _counted(page)]


def waiting(found: Sequence[Waiting]) -> Sequence[RenderableType]:
    """The notes that wait, each kind apart."""
    if not found:
        return [dim("nothing waits for a decision")]
    shown: list[RenderableType] = []
    for status, title in (
        ("pending", "pending: stated by an agent, not by the user"),
        ("quarantined", "quarantined: it may be an instruction to the model"),
    ):
        those = [each for each in found if each.note.status == status]
        if not those:
            continue
        made = table("id", "note", "source", "why", "since")
        for each in those:
            note = each.note
            made.add_row(
                dim(note.id),
                literal(note.text),
                note.source,
                literal("; ".join(each.reasons)),
                dim(day(note.created_at)),
            )
        shown += [dim(title), made]
    return shown


def decided(found: Sequence[Note]) -> RenderableType:
    """What became of notes that waited."""
    if not found:
        return dim("nothing waits for a decision")
    return facts([(each.id, f"{each.status}: {each.text}") for each in found])


def history(versions: Sequence[NoteVersion]) -> RenderableType:
    """The earlier versions of a note."""
    if not versions:
        return dim("no earlier versions")
    made = table("ended", "by", "status", "note")
    for version in versions:
        made.add_row(
            dim(minute(version.ended_at)),
            version.ended_by,
            version.note.status,
            literal(version.note.text),
        )
    return made


def _counted(page: Page[Any]) -> Text:
    rest = f"; use --cursor {page.next} for more" if page.next else ""
    return dim(f"{len(page)} of {page.total}{rest}")


# ---- recall -------------------------------------------------------------------------------------------------


def recall(found: Recall, *, explain: bool = False, exchanges: bool = False) -> Sequence[RenderableType]:
    """What was found, and why there is nothing where there is nothing."""
    parts: list[RenderableType] = []
    if found:
        made = table("score", "found", "where", *(["why"] if explain else []))
        for hit in found:
            text = literal(shortened(hit.text))
            if exchanges and hit.exchange is not None:
                earlier = hit.item is not None and hit.exchange.item.seq < hit.item.seq
                text.append_text(
                    dim(f"\n{'answers' if earlier else 'answered by'}: {shortened(hit.exchange.text)}")
                )
            row = [f"{hit.score:.2f}", text, whence(hit)]
            made.add_row(*row, *([because(hit.why)] if explain else []))
        parts.append(made)
    else:
        parts.append(dim(f"no results: {found.empty_because or 'everything found has been removed since'}"))
    if explain:
        unknown = f"; not in memory: {', '.join(found.unknown)}" if found.unknown else ""
        parts.append(
            dim(
                f"searched {found.scanned} passages for {', '.join(found.terms) or 'no words'}{unknown}; "
                f"relevance {found.relevance:.2f}"
            )
        )
    parts += [literal(sentence, "yellow") for sentence in found.degraded]
    return parts


def timeline(page: Page[TimelineEntry]) -> Sequence[RenderableType]:
    """What was said and learned, oldest first."""
    if not page:
        return [dim("no entries")]
    made = table("when", "said", "where")
    for entry in page:
        text = literal(shortened(entry.text))
        if entry.repeats:
            text.append_text(dim(f"\nrepeated {len(entry.repeats)} times"))
        made.add_row(day(entry.at), text, whence(entry))
    return [made, _counted(page)]


def whence(hit: Hit | TimelineEntry) -> Text:
    """Where a hit is from."""
    if hit.note is not None:
        return dim(f"note {hit.note.id}\n{day(hit.note.valid_from or hit.note.created_at)}")
    if hit.item is not None:
        speaker = f"{hit.item.speaker}, " if hit.item.speaker else ""
        return dim(f"{hit.item.session}, item {hit.item.id}\n{speaker}{day(hit.item.at)}")
    return dim("")


def because(why: Why) -> Table:
    """What each leg of the search gave to a score."""
    from rich.table import Table

    made = Table.grid(padding=(0, 1))
    legs = {
        "words": why.lexical,
        "meaning": why.dense,
        "coverage": why.coverage,
        "neighbours": why.neighbours,
        "episode": why.episode,
        "speaker": why.speaker,
        "form": why.form,
        "length": why.luck,
        "role": why.role,
        "wish": why.wish,
    }
    for name, value in legs.items():
        if value:
            made.add_row(dim(name), f"{value:+.2f}", literal(", ".join(why.terms)) if name == "words" else "")
    return made


def why_not(answer: WhyNot) -> RenderableType:
    """Where a note or an item was lost."""
    return literal(str(answer))


def shortened(text: str) -> str:
    """Return a text at a length that fits a list."""
    return text if len(text) <= _SHOWN else text[:_SHOWN].rstrip() + " …"


# ---- sessions -----------------------------------------------------------------------------------------------


def sessions(page: Page[SessionInfo]) -> Sequence[RenderableType]:
    """A part of a list of sessions."""
    if not page.total:
        return [dim("no sessions")]
    made = table("session", "title", "items", "last written")
    for each in page:
        made.add_row(
            literal(each.id), literal(each.title or ""), str(each.count), dim(minute(each.updated_at))
        )
    return [made, _counted(page)]


def session(info: SessionInfo) -> RenderableType:
    """One session as a list shows it."""
    return facts(
        [
            ("session", info.id),
            ("title", info.title),
            ("items", str(info.count)),
            ("begun", minute(info.created_at)),
            ("last written", minute(info.updated_at)),
        ]
    )


def items(page: Page[Item]) -> Sequence[RenderableType]:
    """A part of a log."""
    if not page.total:
        return [dim("no items")]
    made = table("n", "when", "who", "item")
    for each in page:
        made.add_row(
            str(each.seq),
            dim(minute(each.at)),
            literal(each.speaker or who(each.body)),
            literal(what(each.body)),
        )
    return [made, _counted(page)]


def bodies(window: Sequence[Mapping[str, Any]]) -> RenderableType:
    """What a model sees of a log."""
    if not window:
        return dim("no items")
    made = table("who", "item")
    for body in window:
        made.add_row(literal(who(body)), literal(what(body)))
    return made


def who(body: Mapping[str, Any]) -> str:
    """Return who speaks in an item, or what kind of item it is."""
    return str(body.get("role") or body.get("type") or "")


def what(body: Mapping[str, Any]) -> str:
    """Return what an item says, or its JSON where it says nothing."""
    from bethink.recall.passages import said_in

    words = said_in(body)
    return shortened(words.text if words is not None else json.dumps(body, ensure_ascii=False))


def head(after: Head) -> RenderableType:
    """Where a session stands after a change."""
    return dim(f"{after.session} now has {after.count} items")


def expiry(kept: Expiry) -> RenderableType:
    """For how long the items of a session are kept."""
    if kept.seconds is None:
        return dim(f"the items of {kept.session} are kept forever")
    lasting = str(timedelta(seconds=kept.seconds)).removesuffix(", 0:00:00")
    return dim(f"the items of {kept.session} are kept for {lasting}")


def deleted(gone: Mapping[str, str]) -> RenderableType:
    """What was removed."""
    return dim(f"deleted {gone['deleted']}")


# ---- profile ------------------------------------------------------------------------------------------------


def profile(one: Profile) -> Sequence[RenderableType]:
    """The fields of a profile, each with where it came from."""
    if not one.fields:
        return [dim("no fields")]
    made = table("field", "value", "since", "source")
    for path, value in _leaves(one.fields):
        known = one.provenance.get(path)
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        since, source = (day(known.at), known.source) if known else ("", "")
        made.add_row(literal(path), literal(shown), dim(since), dim(source))
    return [made, dim(f"version {one.version}")]


def _leaves(fields: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        path = above + name.replace("~", "~0").replace("/", "~1")
        if isinstance(value, dict) and value:
            yield from _leaves(cast("dict[str, Any]", value), f"{path}/")
        else:
            yield path, value


def profiles(versions: Sequence[Profile]) -> RenderableType:
    """Every version of a profile."""
    if not versions:
        return dim("no fields")
    made = table("version", "written", "fields")
    for each in versions:
        made.add_row(
            str(each.version),
            dim(minute(each.updated_at)),
            literal(json.dumps(dict(each.fields), ensure_ascii=False)),
        )
    return made


# ---- context ------------------------------------------------------------------------------------------------


def context(composed: Context) -> Sequence[RenderableType]:
    """The block as an agent reads it, then how long it is and what it leaves out."""
    parts: list[RenderableType] = [visible(composed.text), dim(f"{composed.tokens} tokens")]
    parts += [dim(f"left out: {each.kind} {each.id}, {each.reason}") for each in composed.dropped]
    return parts


# ---- the lifecycle ------------------------------------------------------------------------------------------


def distilled(one: Distilled) -> Sequence[RenderableType]:
    """What was kept of a session, and what not and why."""
    made = table("kept", "as", "keywords")
    for each in one.kept:
        kind = ("for review" if each.review else each.salience) if each.durable else "this session"
        made.add_row(literal(each.text), kind, literal(", ".join(each.keywords)))
    left = table("not kept", "why")
    for each in one.dropped:
        if each.text:
            left.add_row(literal(each.text), literal(each.reason))
    parts: list[RenderableType] = [made if one.kept else dim("nothing learned")]
    parts += [left] if any(each.text for each in one.dropped) else []
    parts += [literal(f"to forget: {each.text}") for each in one.forgets]
    return [*parts, *(dim(remark) for remark in one.remarks)]


def plan(one: Plan) -> RenderableType:
    """What a consolidation changes, as a diff."""
    return literal(str(one))


def plans(page: Page[Plan]) -> Sequence[RenderableType]:
    """A part of a list of plans."""
    if not page.total:
        return [dim("no plans")]
    made = table("id", "when", "state", "by", "session", "changes")
    for each in page:
        row = [
            dim(each.id),
            dim(minute(each.created_at)),
            each.state,
            literal(each.engine),
            literal(each.session or ""),
        ]
        made.add_row(*row, str(len(each.changes)))
    return [made, _counted(page)]


def receipt(one: Receipt) -> RenderableType:
    """What was destroyed, what was found afterwards, and what nobody here can look into."""
    counted = ", ".join(f"{rows} {table}" for table, rows in one.erased.items())
    found = ", ".join(f"{count} in {place}" for place, count in one.found.items())
    return facts(
        [
            ("receipt", one.id),
            ("subject", f"{one.subject}, digest {one.digest}"),
            ("when", minute(one.at)),
            ("erased", counted or "there was nothing"),
            ("left", found or "nothing was found"),
            ("items with the same content", ", ".join(one.items)),
            ("verified", f"{len(one.scanned)} places"),
            ("may remain in", "; ".join(one.retained)),
        ]
    )
