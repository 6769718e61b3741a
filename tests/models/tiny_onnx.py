"""A transformer of one layer as the bytes of an ONNX file: every token has a vector, and that is all."""

from __future__ import annotations

import json
import struct

from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = {
    "[PAD]": (9.0, 9.0, 9.0),  # must never be seen
    "[CLS]": (0.0, 0.0, 1.0),
    "[UNK]": (0.0, 0.0, 0.0),
    "sun": (1.0, 0.0, 0.0),
    "rain": (0.0, 1.0, 0.0),
    "query": (0.0, 0.0, 5.0),
}
_FLOAT, _INT64 = 1, 7


def _varint(number):
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def _field(number, value):
    """Encode a field of a protocol buffer: a number, a text, or a message that is encoded already."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _value(name, kind, dims):
    shape = b"".join(_field(1, _field(1 if isinstance(dim, int) else 2, dim)) for dim in dims)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def model(inputs=("input_ids", "attention_mask"), output="last_hidden_state"):
    """Return a model that looks its tokens up."""
    rows = [struct.pack("<3f", *vector) for vector in WORDS.values()]
    table = (
        _field(1, len(rows))
        + _field(1, 3)
        + _field(2, _FLOAT)
        + _field(8, "words")
        + _field(9, b"".join(rows))
    )
    gather = _field(1, "words") + _field(1, inputs[0]) + _field(2, output) + _field(4, "Gather")
    graph = _field(1, gather) + _field(2, "tiny") + _field(5, table)
    graph += b"".join(_field(11, _value(name, _INT64, ["batch", "sequence"])) for name in inputs)
    graph += _field(12, _value(output, _FLOAT, ["batch", "sequence", 3]))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 17))


def tokenizer():
    """Return a tokenizer of whole words, each text of which begins with [CLS]."""
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made.post_processor = processors.TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 1)])
    return made


def write(folder, *, pooling="mean_tokens", **files):
    """Write a folder as an export leaves it; `files` are further ones, as JSON."""
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "1_Pooling/config.json").write_text(
        json.dumps(
            {"word_embedding_dimension": 3, f"pooling_mode_{pooling}": True, "pooling_mode_max_tokens": False}
        )
    )
    (folder / "model.onnx").write_bytes(model())
    tokenizer().save(str(folder / "tokenizer.json"))
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder
