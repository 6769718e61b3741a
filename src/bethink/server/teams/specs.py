"""Team specs: planner, workers, synthesizer, and the shared namespace."""

from __future__ import annotations

from pydantic import Field

from bethink.errors import InvalidError
from bethink.scope.labels import label
from bethink.scope.templates import check_template
from bethink.scope.values import validate_grantee
from bethink.server.specs import MAX_SHARED, Short, Strict

MAX_WORKERS = 16


class TeamSpec(Strict):
    """A team as its owner describes it. Its members are registered agents: the owner's own, or the system's."""

    description: str = Field(default="", max_length=4_000)
    planner: Short = Field(description="The agent that gives the workers their tasks.")
    workers: list[Short] = Field(min_length=1, max_length=MAX_WORKERS, description="The agents that work.")
    synthesizer: Short = Field(description="The agent that makes one answer of what the workers found.")
    max_concurrent: int = Field(default=4, ge=1, le=MAX_WORKERS, description="Workers at once.")
    max_turns: int = Field(
        default=100, ge=1, le=1_000, description="Calls of models in one run, of all members."
    )
    timeout_seconds: float = Field(default=300, gt=0, le=3_600)
    shared_memory_namespace: Short | None = Field(
        default=None,
        description="A template, such as team:{team_name}, of a registered team; nothing is shared without one.",
    )
    shared_with: list[Short] = Field(
        default_factory=list,
        max_length=MAX_SHARED,
        description="Who may use the team: ids, group:NAME, or * for everyone. They need the agents as well.",
    )


def check_team(spec: TeamSpec) -> TeamSpec:
    """Return a spec that can be used.

    Raises:
        InvalidError: the template or a name is not acceptable, or a worker is named twice.
    """
    if spec.shared_memory_namespace is not None:
        check_template(spec.shared_memory_namespace, kind="team")
    for each in (spec.planner, *spec.workers, spec.synthesizer):
        label(each, argument="agent")
    if len(set(spec.workers)) != len(spec.workers):
        raise InvalidError(
            "workers must not name an agent twice; one agent may get several tasks", argument="workers"
        )
    for each in spec.shared_with:
        validate_grantee(each)
    return spec
