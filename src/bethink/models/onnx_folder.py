"""Read the configuration of a local sentence-transformer: tokenizer, pooling, maximum length."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from bethink.errors import InvalidError, NotFoundError

if TYPE_CHECKING:
    from pathlib import Path

Pooling: TypeAlias = Literal["mean", "cls"]

_MODELS: Final = ("model.onnx", "onnx/model.onnx")
_USUAL_LONGEST: Final = 256
_POOLINGS: Final[dict[str, Pooling]] = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
_MODULES: Final = frozenset({"Transformer", "Pooling", "Normalize"})  #: parts whose work is done here


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A sentence transformer on disk."""

    model: Path
    tokenizer: Path
    pooling: Pooling
    longest: int  #: tokens
    prefix: str

    @property
    def weights(self) -> list[Path]:
        """The model, and the files beside it where a large one keeps its numbers."""
        return sorted(self.model.parent.glob(f"{self.model.name}*"))


def read(
    folder: Path, *, model: str | None, pooling: Pooling | None, longest: int | None, prefix: str | None
) -> Folder:
    """Return what is in a folder; what is not given is what the folder says.

    Raises:
        NotFoundError: a file is missing.
        InvalidError: a file is not JSON, or wants something that is not known here.
    """
    names = _MODELS if model is None else (model,)
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise NotFoundError(
            f"no {' and no '.join(names)} in {folder}; export the sentence transformer to ONNX, or "
            "name its file",
            kind="file",
            id=names[0],
        )
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise NotFoundError(
            f"no tokenizer.json in {folder}; copy it from the model's repository",
            kind="file",
            id="tokenizer.json",
        )
    _check_modules(folder)
    bound = _json(folder / "sentence_bert_config.json").get("max_seq_length")
    usual = bound if isinstance(bound, int) and bound > 0 else _USUAL_LONGEST
    return Folder(
        model=found,
        tokenizer=tokenizer,
        pooling=pooling or _pooling(folder),
        longest=longest or usual,
        prefix=_prompt(folder) if prefix is None else prefix,
    )


def _pooling(folder: Path) -> Pooling:
    options = _json(folder / "1_Pooling/config.json")
    chosen = [name for name, value in options.items() if name.startswith("pooling_mode_") and value is True]
    if not chosen:
        return "mean"
    if len(chosen) > 1 or chosen[0] not in _POOLINGS:
        raise InvalidError(
            f"{folder} uses {' and '.join(chosen)} pooling; only mean and cls are supported",
            argument="pooling",
        )
    return _POOLINGS[chosen[0]]


def _prompt(folder: Path) -> str:
    """Return the prompt for all texts. One for queries alone is not used: nothing says which text is one."""
    options = _json(folder / "config_sentence_transformers.json")
    prompts, name = options.get("prompts"), options.get("default_prompt_name")
    found = cast("dict[str, Any]", prompts).get(str(name)) if isinstance(prompts, dict) else None
    return found if isinstance(found, str) else ""


def _check_modules(folder: Path) -> None:
    """Refuse a model with further layers behind its pooling: without them the vectors would be others."""
    modules = _json(folder / "modules.json", list)
    kinds = [str(cast("dict[str, Any]", each).get("type", "")).rpartition(".")[2] for each in modules]
    strange = sorted({kind for kind in kinds if kind} - _MODULES)
    if strange:
        raise InvalidError(
            f"{folder} has an unsupported module {', '.join(strange)} after its transformer",
            argument="folder",
        )


def _json(path: Path, kind: type[Any] = dict) -> Any:
    """Return the JSON of a file, empty where there is none."""
    if not path.is_file():
        return kind()
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise InvalidError(f"{path} is not valid JSON", argument="folder") from error
    if not isinstance(content, kind):
        raise InvalidError(f"{path} must contain a JSON value of type {kind.__name__}", argument="folder")
    return content
