"""Choose the responder by its name, before any model library is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bethink.server.options import Options
    from bethink.server.specs import AgentSpec

OFFLINE: Final = "offline"  #: the name of the responder without a model


def choose_model(spec: AgentSpec, options: Options) -> str | None:
    """Return the model that the spec names, else the server's; None where there is no endpoint to ask."""
    if options.model is None and options.model_url is None:
        return None
    return spec.model or options.model
