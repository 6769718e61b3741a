"""Agent specs: which memory an agent uses, and who may use the agent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bethink.errors import InvalidError
from bethink.scope.labels import label
from bethink.scope.templates import check_template
from bethink.scope.values import validate_grantee
from bethink.tools.registry import TOOLS
from bethink.tools.values import Family  # noqa: TC001 - pydantic reads it at run time

MAX_POOLS = 32
MAX_SHARED = 256

Short = Annotated[str, Field(min_length=1, max_length=512)]


class Strict(BaseModel):
    """What is not known is refused, so that a misspelt field is noticed."""

    model_config = ConfigDict(extra="forbid")


class MemorySpec(Strict):
    """What an agent may use of its memory."""

    enabled: bool = True
    namespace: Short | None = Field(
        default=None, description="A template; agent:{agent_name} where nothing is said."
    )
    shared_namespaces: list[Short] = Field(
        default_factory=list, max_length=MAX_POOLS, description="Templates of pools."
    )
    team: Short | None = Field(default=None, description="The team that the agent works in.")
    families: list[Family] | None = Field(
        default=None,
        max_length=8,
        description="Families of tools; private, with pools and team where there are any, where nothing is said.",
    )
    tools: list[Short] | None = Field(
        default=None,
        max_length=64,
        description="The only tools that are offered; all of the families where nothing is said.",
    )


class PrimitivesSpec(Strict):
    """The parts that an agent is made of."""

    memory: MemorySpec = Field(default_factory=MemorySpec)


class HooksSpec(Strict):
    """What is done around each run."""

    auto_memory: bool = Field(default=True, description="Keep conversations, and load them again.")
    injection: Literal["beginning", "relevance"] = Field(
        default="beginning",
        description="When memories are put before a conversation: where no history was loaded, or in every turn "
        "those that have to do with what was said.",
    )


class AgentSpec(Strict):
    """An agent as its owner describes it."""

    description: str = Field(default="", max_length=4_000)
    model: Short | None = Field(
        default=None, description="The model that answers; the server's where none is named."
    )
    system_prompt: str = Field(
        default="",
        max_length=100_000,
        description="Sent with every turn as it stands then, and never stored.",
    )
    max_turns: int = Field(default=20, ge=1, le=100, description="Calls of the model in one turn.")
    temperature: float | None = Field(default=None, ge=0, le=2)
    primitives: PrimitivesSpec = Field(default_factory=PrimitivesSpec)
    hooks: HooksSpec = Field(default_factory=HooksSpec)
    shared_with: list[Short] = Field(
        default_factory=list,
        max_length=MAX_SHARED,
        description="Who may use the agent: ids, group:NAME, or * for everyone. Nobody sees another's memory by it.",
    )


def check_spec(spec: AgentSpec) -> AgentSpec:
    """Return a spec that can be used.

    Raises:
        InvalidError: a template, a tool, or a name is not acceptable.
    """
    memory = spec.primitives.memory
    check_template(memory.namespace)
    for template in memory.shared_namespaces:
        check_template(template, kind="pool")
    if memory.team is not None:
        label(memory.team, argument="team")
    unknown = set(memory.tools or ()) - set(TOOLS)
    if unknown:
        raise InvalidError(f"unknown tool: {', '.join(sorted(unknown))}", argument="tools")
    if "workspace" in (memory.families or ()):
        raise InvalidError(
            "a workspace is a directory on one machine; use `bethink mcp --workspace DIR`",
            argument="families",
        )
    for each in spec.shared_with:
        validate_grantee(each)
    return spec


def families_of(memory: MemorySpec) -> list[Family]:
    """Return the families whose tools the agent has."""
    if not memory.enabled:
        return []
    if memory.families is not None:
        return list(memory.families)
    wanted: list[Family] = ["private"]
    if memory.shared_namespaces:
        wanted.append("pools")
    if memory.team is not None:
        wanted.append("team")
    return wanted


def read_spec(spec: Any) -> AgentSpec:
    """Return a kept spec."""
    return AgentSpec.model_validate(spec)
