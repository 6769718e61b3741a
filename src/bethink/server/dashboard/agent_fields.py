"""Convert an agent's spec to form fields and back, keeping what the form does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.server.specs import AgentSpec

if TYPE_CHECKING:
    from bethink.server.dashboard.dependencies import Fields


def shown(spec: AgentSpec) -> dict[str, Any]:
    """Return what the fields of the form hold."""
    memory = spec.primitives.memory
    return {
        "description": spec.description,
        "system_prompt": spec.system_prompt,
        "model": spec.model or "",
        "max_turns": spec.max_turns,
        "temperature": "" if spec.temperature is None else f"{spec.temperature:g}",
        "enabled": memory.enabled,
        "auto_memory": spec.hooks.auto_memory,
        "injection": spec.hooks.injection,
        "shared_namespaces": "\n".join(memory.shared_namespaces),
        "team": memory.team or "",
        "shared_with": "\n".join(spec.shared_with),
    }


def typed(form: Fields) -> dict[str, Any]:
    """Return what was typed, to be shown once more where it cannot be taken."""
    checks = {name: form[name] == "yes" for name in ("enabled", "auto_memory")}
    return {name: form[name] for name in shown(AgentSpec())} | checks


def read(form: Fields, before: AgentSpec) -> AgentSpec:
    """Return the spec of a form that was sent.

    Raises:
        ValidationError: a field cannot be taken.
    """
    values: dict[str, Any] = before.model_dump(mode="json")
    values |= {name: form[name].strip() for name in ("description", "system_prompt", "max_turns")}
    values |= {name: form.word(name) for name in ("model", "temperature")}
    values["shared_with"] = _lines(form["shared_with"])
    values["hooks"] |= {"auto_memory": form["auto_memory"] == "yes", "injection": form["injection"]}
    values["primitives"]["memory"] |= {
        "enabled": form["enabled"] == "yes",
        "shared_namespaces": _lines(form["shared_namespaces"]),
        "team": form.word("team"),
    }
    return AgentSpec.model_validate(values)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]
