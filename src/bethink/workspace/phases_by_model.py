"""Phase one and phase two with a chat model: no tools, validated answers, rules as the fallback."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bethink.json_kinds import is_object
from bethink.lifecycle.model.json_validation import array, record
from bethink.lifecycle.model.model_call import BoundModel
from bethink.lifecycle.spend_cap import Budget
from bethink.workspace.instructions import prompt
from bethink.workspace.lessons import KINDS, PIECE_TOKENS, ExtractedLessons, Lessons
from bethink.workspace.phase_engines import Extracted, Merged, build_memory
from bethink.workspace.raw_memories import parse
from bethink.workspace.rollout_ids import checked_slug
from bethink.workspace.rollouts import one_line
from bethink.workspace.text_safety import safe_text
from bethink.workspace.truncation import ROLLOUT_TOKENS, middle_out
from bethink.workspace.values import Extract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.values import ModelUse
    from bethink.models.chat import Chat
    from bethink.workspace.phase_engines import Phases
    from bethink.workspace.phase_two_consolidation import ByHand, Suppressed
    from bethink.workspace.values import Generate, GuardedText, Rollout

MAX_EXTRACT: Final = 6_000  #: tokens of an answer
MAX_LESSONS: Final = 4_000
MAX_OF_A_KIND: Final = 40
MAX_SKILLS: Final = 16
MAX_SKILL_LINES: Final = 500
_TEXT: Final = {"type": "string"}
_EXTRACT: Final = record("workspace_extract", rollout_slug=_TEXT, rollout_summary=_TEXT, raw_memory=_TEXT)
_ENTRY: Final = array(record(text=_TEXT, source=_TEXT))
_LESSONS: Final = record(
    "workspace_lessons",
    preferences=_ENTRY,
    knowledge=_ENTRY,
    failures=_ENTRY,
    skills=array(record(name=_TEXT, text=_TEXT)),
)
_CODE: Final = re.compile(r"`([^`\n]{2,300})`")
_NUMBER: Final = re.compile(r"(?<![\w.])\d[\d.,:]*\d|(?<![\w.])\d(?!\w)")
_REFERENCE: Final = re.compile(r"rollout_summaries/[A-Za-z0-9._-]+\.md")
_SKILL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_FIELDS: Final = ("task:", "task_group:", "task_outcome:")


class ModelPhases:
    """Each phase asks its model, where it has one."""

    def __init__(
        self,
        rules: Phases,
        generate: Generate,
        *,
        guard: Guard,
        count_tokens: Callable[[str], int],
        budget: Budget | None = None,
    ) -> None:
        self._rules = rules
        self._generate = generate
        self._guard = guard
        self._count_tokens = count_tokens
        self._budget = budget or Budget()
        self._chats: dict[str, Chat] = {}

    @property
    def asks(self) -> bool:
        """Tell whether phase one asks a model."""
        return self._generate.phase_one_model is not None

    def within(self, budget: Budget) -> ModelPhases:
        """Return the same phases, bound to what may be spent."""
        return ModelPhases(
            self._rules,
            self._generate,
            guard=self._guard,
            count_tokens=self._count_tokens,
            budget=budget,
        )

    # ---- phase one ------------------------------------------------------------------------------------------

    def extract(self, rollout: Rollout, lines: Sequence[str], *, group: str, now: datetime) -> Extracted:
        """Read one conversation; where the model's answer is no use, the rules read it.

        Where it finds nothing to remember, rules write down what was asked for and done.
        """
        model = self._generate.phase_one_model
        if model is None:
            return self._rules.extract(rollout, lines, group=group, now=now)
        transcript = self._guard.mask(middle_out("\n".join(lines), ROLLOUT_TOKENS))
        data = {
            "task_group": group,
            "terminal": {"terminal_state": rollout.terminal_state, "segment_count": rollout.segments},
            "record": transcript,
        }
        reply, use, remark = self._ask("workspace_extract", model, "phase_one", data, _EXTRACT, MAX_EXTRACT)
        caught: list[GuardedText] = []
        if reply is not None:
            made = self._checked(reply, rollout, transcript, caught)
            if made is None:
                done = self._rules.outline(rollout, lines, group=group, now=now)
                return replace(
                    done, engine=self._chat(model).identity, caught=(*caught, *done.caught), used=(use,)
                )
            if not isinstance(made, str):
                return Extracted(
                    extract=made, engine=self._chat(model).identity, caught=tuple(caught), used=(use,)
                )
            remark = f"the model's answer was refused: {made}"
        ruled = self._rules.extract(rollout, lines, group=group, now=now)
        return Extracted(
            extract=ruled.extract,
            engine=ruled.engine,
            failed=True,
            caught=(*caught, *ruled.caught),
            remarks=(f"{rollout.id}: rules stood in for the model: {remark}",),
            used=(use,),
        )

    def _checked(
        self, reply: Mapping[str, Any], rollout: Rollout, transcript: str, caught: list[GuardedText]
    ) -> Extract | str | None:
        """Return what the model made of a conversation, or why it is refused; None is nothing to remember."""
        slug, summary, raw = (
            reply[name].strip() for name in ("rollout_slug", "rollout_summary", "raw_memory")
        )
        if not (slug or summary or raw):
            return None
        if not (slug and summary and raw):
            return "some of its texts are empty and others are not"
        named = rollout.extract.slug if rollout.extract else checked_slug(slug)
        if named is None:
            return "its slug cannot name a file"
        if any(f"\n{field}" not in f"\n{raw}" for field in _FIELDS):
            return "its raw memory lacks the head"
        texts: list[str] = []
        for text in (summary, raw):
            kept, found = safe_text(text, self._guard, rollout.id, source="agent")
            caught += found
            texts.append(_supported(kept, transcript))
        return Extract(slug=named, summary=texts[0], raw=texts[1])

    def outline(self, rollout: Rollout, lines: Sequence[str], *, group: str, now: datetime) -> Extracted:
        """Say what was asked for and done in a conversation; no model is needed for that."""
        return self._rules.outline(rollout, lines, group=group, now=now)

    # ---- phase two ------------------------------------------------------------------------------------------

    @property
    def identity(self) -> str:
        """Return what identifies phase two, its model and guidance: if that changes, phase two runs again."""
        model = self._generate.phase_two_model
        if model is None:
            return self._rules.identity
        return f"{self._chat(model).identity} {self._generate.extra_prompt or ''}".strip()

    def merge(
        self,
        selected: Sequence[Rollout],
        *,
        lessons: str,
        by_hand: Sequence[ByHand],
        suppressed: Suppressed,
        now: datetime,
    ) -> Merged:
        """Make one memory: a program writes the index and the references, the model finds the lessons, in pieces.

        It is asked about conversations alone that it was not asked about yet. Where its answer is no use, what the
        rules found in those stands.
        """
        model = self._generate.phase_two_model
        if model is None:
            return self._rules.merge(
                selected, lessons=lessons, by_hand=by_hand, suppressed=suppressed, now=now
            )
        known = Lessons.read(lessons, self.identity)
        caught: list[GuardedText] = []
        used: list[ModelUse] = []
        remarks: list[str] = []
        whole = True
        for piece in known.pieces(selected)[: self._generate.most_asked]:
            found, use, remark = self._lessons(model, piece, caught)
            used.append(use)
            if found is None:
                whole = known.failed(piece) and whole
                remarks.append(
                    f"rules stood in for the model, for {len(piece)} of {len(selected)} conversations: {remark}"
                )
            else:
                known.learned(piece, found)
        raws = [known.with_lessons(parse(each)) for each in selected]
        made = build_memory(raws, by_hand=by_hand, suppressed=suppressed, now=now)
        asked = any(known.knows(each) for each in selected)
        return Merged(
            consolidated=replace(made, skills=known.skills(selected)),
            engine=self._chat(model).identity if asked else "rules",
            lessons=known.write(selected),
            whole=whole,
            caught=tuple(caught),
            remarks=tuple(dict.fromkeys(remarks)),
            used=tuple(used),
        )

    def _lessons(
        self, model: Chat | str, piece: Sequence[Rollout], caught: list[GuardedText]
    ) -> tuple[ExtractedLessons | None, ModelUse, str]:
        """Ask about some conversations."""
        data = {
            "conversations": [
                {
                    "rollout_id": each.id,
                    "updated_at": each.updated_at,
                    "terminal_state": each.terminal_state,
                    "summary": middle_out(each.extract.summary if each.extract else "", PIECE_TOKENS // 4),
                    "raw_memory": middle_out(each.extract.raw if each.extract else "", PIECE_TOKENS // 2),
                }
                for each in piece
            ]
        }
        reply, use, remark = self._ask("workspace_merge", model, "phase_two", data, _LESSONS, MAX_LESSONS)
        if reply is None:
            return None, use, remark
        material = "\n".join(f"{each.extract.raw}\n{each.extract.summary}" for each in piece if each.extract)
        ids = {each.id for each in piece}
        found = ExtractedLessons()
        for kind in KINDS:
            for each in list(reply[kind])[:MAX_OF_A_KIND]:
                text, source = (each.get("text"), each.get("source")) if is_object(each) else (None, None)
                line = one_line(text)
                if not line:
                    continue
                kept, held_back = safe_text(line, self._guard, "phase two", source="agent")
                caught += held_back
                if kept.strip() and _is_supported(kept, " ".join(material.split())):
                    found.add(kind, source if source in ids else piece[0].id, kept.strip())
        found.skills = self._skills(reply["skills"], material)
        return found, use, ""

    def _skills(self, given: Iterable[Any], material: str) -> dict[str, str]:
        """Return the procedures that are well formed and hold nothing that was not shown."""
        kept: dict[str, str] = {}
        for each in list(given)[:MAX_SKILLS]:
            name, text = (each.get("name"), each.get("text")) if is_object(each) else (None, None)
            if not isinstance(name, str) or not isinstance(text, str) or not _SKILL.fullmatch(name):
                continue
            clean, caught = safe_text(text, self._guard, name, source="agent")
            if not caught and clean.count("\n") < MAX_SKILL_LINES and _supported(clean, material) == clean:
                kept[name] = clean.strip() + "\n"
        return kept

    # ---- asking ---------------------------------------------------------------------------------------------

    def _ask(
        self,
        operation: str,
        model: Chat | str,
        name: str,
        data: Mapping[str, Any],
        schema: Mapping[str, Any],
        most: int,
    ) -> tuple[Mapping[str, Any] | None, ModelUse, str]:
        """Ask once; the model is shown data and given no tool."""
        instructions = prompt(name)
        if self._generate.extra_prompt:
            instructions += f"\nWhat matters most in this use:\n\n{self._generate.extra_prompt.strip()}\n"
        asking = BoundModel(chat=self._chat(model), count_tokens=self._count_tokens)
        asked = asking.ask(operation, instructions, data, schema, budget=self._budget, most=most)
        self._budget = self._budget.after((asked.use,))
        return asked.reply, asked.use, asked.remark

    def _chat(self, model: Chat | str) -> Chat:
        if not isinstance(model, str):
            return model
        if model not in self._chats:
            from bethink.models.openai_chat import OpenAIChat

            self._chats[model] = OpenAIChat(model)
        return self._chats[model]


def _supported(text: str, material: str) -> str:
    """Return a text without the lines whose commands or numbers do not stand in the material."""
    plain = " ".join(material.replace("\\n", " ").replace('\\"', '"').split())
    rows = [
        row
        for row in text.split("\n")
        if not row.lstrip().startswith("-") or _is_supported(row, plain) or _REFERENCE.search(row)
    ]
    return "\n".join(rows)


def _is_supported(row: str, material: str) -> bool:
    quoted = [*(" ".join(each.split()) for each in _CODE.findall(row)), *_NUMBER.findall(row)]
    return all(each in material for each in quoted)
