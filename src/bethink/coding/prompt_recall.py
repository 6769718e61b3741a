"""Recall for a prompt: the notes to inject, or none where nothing passes the relevance threshold."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from bethink.coding.context_block import block
from bethink.coding.events import TRANSCRIPTS, session_name
from bethink.coding.hook_memory import embedder, open_hook_driver, open_hook_memory, settings
from bethink.coding.hook_reads import TENANT, open_stored
from bethink.coding.projects import OWN, decide_by_folder
from bethink.coding.prompt_filter import MAX
from bethink.coding.repository import examine_folder
from bethink.ids import Ids
from bethink.lifecycle.guard import RulesGuard
from bethink.recall.index_cache import Indexes
from bethink.recall.index_store_sync import PARTIAL, Analysis
from bethink.recall.service import RecallRequest, recall
from bethink.scope.namespace import Namespace
from bethink.scope.values import SYSTEM
from bethink.storage.stores import BlockingStore, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.coding.directories import Directories
    from bethink.coding.events import Event
    from bethink.coding.options import Options
    from bethink.coding.projects import Project
    from bethink.recall.values import Hit, Recall
    from bethink.storage.jobs import Driver

ENOUGH: Final = 0.4  #: of the likelihood that an answer is among what was found: a line too much costs little
MAX_CHARACTERS: Final = 2_000
_MAX_HITS: Final = 5
_LOOKED_AT: Final = 10
_NEAR: Final = 0.5  #: of the best score, that another hit has which is told as well
_LATE: Final = "Not everything is indexed yet: the newest conversations were not searched for this."


def relevant_block(event: Event, places: Directories, chosen: Options) -> str:
    """Return what the project and the user's own memory have to say to a prompt, beside this session itself."""
    project = _project(event, places, chosen)
    if project is not None and project.excluded:
        return ""
    agents = [OWN] if project is None else [project.agent, OWN]
    driver = open_hook_driver(places, chosen)
    try:
        answers = _recall_all(driver, agents, chosen.user, event.prompt[:MAX])
    finally:
        driver.close()
    return render(event, answers, "" if project is None else project.name)


def render(event: Event, answers: Sequence[Recall], name: str) -> str:
    """Write what several memories have to say."""
    here = session_name(TRANSCRIPTS.get(event.tool, event.tool), event.session)
    lines = dict.fromkeys(text for answer in answers for text in _lines(answer, here))
    late = any(PARTIAL in answer.degraded for answer in answers)
    parts = [("Said or learned earlier, and perhaps of use now:", list(lines)), ("", [_LATE] if late else [])]
    return block(((heading, texts) for heading, texts in parts if texts), project=name, most=MAX_CHARACTERS)


def _project(event: Event, places: Directories, chosen: Options) -> Project | None:
    """Return the project of a folder, as far as it is known; None for no project, and for one that is not confirmed."""
    repository = examine_folder(event.folder)
    if repository.is_nowhere(places.user):
        return None
    stored = open_stored(places.database(chosen.db), chosen.user)
    if stored is not None:
        try:
            found = decide_by_folder(repository, stored.projects())
        finally:
            stored.close()
        if found is not None:
            return found.project
    from bethink.coding.project_register import Register

    with open_hook_memory(places, chosen) as memory:
        decision = Register(memory, chosen.user).resolve(repository, begin=False).decision
        return decision.project if decision.how != "asks" else None


def _recall_all(driver: Driver, agents: Sequence[str], user: str | None, prompt: str) -> list[Recall]:
    """Ask several memories the same; only what is indexed is searched, and a little more."""
    with_ = settings()
    indexes = Indexes(
        analysis=Analysis(embedder(), RulesGuard().mask),
        most_bytes=with_.index_megabytes << 20,
        batch=with_.index_batch,
        fresh=Ids(),
        at_recall=with_.index_at_recall,
    )
    store, ask = BlockingStore(driver), RecallRequest(query=prompt, limit=_LOOKED_AT, notes=True, items=True)
    try:
        return [
            run(recall(indexes, store, _namespace(agent, user), ask, now=time.time_ns() // 1000))
            for agent in agents
        ]
    finally:
        indexes.leave()


def _namespace(agent: str, user: str | None) -> Namespace:
    return Namespace(tenant=TENANT, kind="agent", owner=SYSTEM, name=agent, user=user)


def _lines(answer: Recall, here: str) -> Iterator[str]:
    hits = [hit for hit in answer.hits if hit.item is None or hit.item.session != here]
    if answer.relevance < ENOUGH or not hits:
        return
    for hit in hits[:_MAX_HITS]:
        if hit.score >= _NEAR * answer.hits[0].score:
            yield _line(hit)


def _line(hit: Hit) -> str:
    if hit.item is None:
        return hit.text
    day = f"{hit.item.at:%Y-%m-%d}: " if hit.item.at is not None else ""
    reply = f" — {_short(hit.exchange.text, 160)}" if hit.exchange is not None else ""
    return f"{day}{_short(hit.text, 220)}{reply}"


def _short(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[: most - 2].rstrip() + " …"
