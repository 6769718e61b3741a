"""The responders: a model behind an OpenAI-compatible endpoint, or the offline responder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

try:
    from agents import OpenAIChatCompletionsModel
except ImportError as missing:
    raise ImportError(
        "chats require the OpenAI Agents SDK: pip install 'bethink[agents]'", name="agents"
    ) from missing

from bethink.server.chat.completions_client import client
from bethink.server.chat.model_choice import OFFLINE, choose_model
from bethink.server.chat.responder import Responder, Role
from bethink.settings import model_key

if TYPE_CHECKING:
    from agents.models.interface import Model
    from openai import AsyncOpenAI

    from bethink.server.options import Options
    from bethink.server.specs import AgentSpec

NO_MODEL: Final = "no model is set"
USED_UP: Final = "the tokens of the day are used up"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """Who answers a turn."""

    model: Model
    name: str
    offline: bool


class Models:
    """The models of one server; they share one client."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._client: AsyncOpenAI | None = None

    def choose(self, spec: AgentSpec, *, role: Role = "answer", used_up: bool = False) -> ChosenModel:
        """Return the model that the spec names, else the server's; the offline responder without an endpoint.

        It answers, too, where the tokens of the day are used up.
        """
        name = choose_model(spec, self._options)
        if name is None:
            return offline_responder(NO_MODEL, role)
        if used_up:
            return offline_responder(USED_UP, role)
        return ChosenModel(model=OpenAIChatCompletionsModel(name, self._opened()), name=name, offline=False)

    async def close(self) -> None:
        """Let go of the connections."""
        opened, self._client = self._client, None
        if opened is not None:
            await opened.close()

    def _opened(self) -> AsyncOpenAI:
        if self._client is None:
            url = self._options.model_url
            self._client = client(url, model_key(url))
        return self._client


def offline_responder(why: str, role: Role) -> ChosenModel:
    """Return the responder that needs no model, and says why it answers."""
    return ChosenModel(model=Responder(why, role), name=OFFLINE, offline=True)
