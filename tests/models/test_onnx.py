"""A sentence transformer from a local directory."""

from __future__ import annotations

import importlib.util
import json

import numpy as np
import pytest

from bethink import Memory
from bethink.errors import InvalidError, ModelError, NotFoundError
from bethink.models.embedder_by_name import embedder_named
from bethink.models.embedding import Embedder
from bethink.models.onnx import OnnxEmbedder
from bethink.models.onnx_folder import read

from . import tiny_onnx


@pytest.fixture
def folder(tmp_path):
    return tiny_onnx.write(tmp_path / "tiny")


def test_a_vector_is_the_mean_of_the_tokens_brought_to_length_one(folder):
    rows = OnnxEmbedder(folder).embed(["sun rain", "sun"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, [[3**-0.5] * 3, [2**-0.5, 0, 2**-0.5]])
    assert isinstance(OnnxEmbedder(folder), Embedder)


def test_the_first_token_is_taken_where_the_folder_or_the_caller_says_so(folder, tmp_path):
    assert np.allclose(OnnxEmbedder(folder, pooling="cls").embed(["sun"]), [[0, 0, 1]])
    other = tiny_onnx.write(tmp_path / "cls", pooling="cls_token")
    assert np.allclose(OnnxEmbedder(other).embed(["rain"]), [[0, 0, 1]])


def test_what_pads_a_batch_adds_nothing_and_the_order_is_that_of_the_texts(folder):
    texts = ["sun " * 30, "rain", "sun rain", "", " ", "rain rain"]
    embedder = OnnxEmbedder(folder, batch=2)
    together = embedder.embed(texts)
    assert np.allclose(together, [embedder.embed([text])[0] for text in texts], atol=1e-6)
    assert not together[3:5].any()
    assert embedder.embed([]).shape == (0, 3)


def test_a_text_is_read_as_far_as_the_folder_or_the_caller_says(folder, tmp_path):
    assert np.allclose(
        OnnxEmbedder(folder, longest=2).embed(["sun rain"]), OnnxEmbedder(folder).embed(["sun"])
    )
    short = tiny_onnx.write(tmp_path / "short", sentence_bert_config={"max_seq_length": 2})
    assert np.allclose(OnnxEmbedder(short).embed(["sun rain"]), OnnxEmbedder(short).embed(["sun"]))


def test_each_text_begins_with_the_prompt_of_the_folder_or_the_prefix_of_the_caller(folder, tmp_path):
    told = {"prompts": {"all": "query ", "other": "rain "}, "default_prompt_name": "all"}
    prompted = tiny_onnx.write(tmp_path / "prompted", config_sentence_transformers=told)
    wanted = OnnxEmbedder(folder).embed(["query sun"])
    assert np.allclose(OnnxEmbedder(prompted).embed(["sun"]), wanted)
    assert np.allclose(OnnxEmbedder(folder, prefix="query ").embed(["sun"]), wanted)
    assert np.allclose(OnnxEmbedder(prompted, prefix="").embed(["sun"]), OnnxEmbedder(folder).embed(["sun"]))


def test_the_identity_changes_with_the_files_and_with_how_texts_are_read(folder, tmp_path):
    here = OnnxEmbedder(folder)
    assert here.identity == OnnxEmbedder(tiny_onnx.write(tmp_path / "same"), batch=1, threads=1).identity
    others = [
        OnnxEmbedder(folder, **each) for each in ({"pooling": "cls"}, {"longest": 9}, {"prefix": "query "})
    ]
    changed = tiny_onnx.write(tmp_path / "changed")
    (changed / "model.onnx_data").write_bytes(b"weights that are too large for the model's own file")
    identities = {each.identity for each in (here, OnnxEmbedder(changed), *others)}
    assert len(identities) == 5
    assert OnnxEmbedder(changed).dimensions == 3


def test_another_file_of_the_folder_is_run_where_it_is_named(folder):
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx/model.onnx")
    assert OnnxEmbedder(folder).dimensions == 3
    (folder / "onnx/model_small.onnx").write_bytes(tiny_onnx.model(output="sentence_embedding"))
    assert OnnxEmbedder(folder, model="onnx/model_small.onnx").dimensions == 3
    with pytest.raises(NotFoundError, match=r"other\.onnx"):
        OnnxEmbedder(folder, model="other.onnx")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(NotFoundError, match=name):
        OnnxEmbedder(folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_that_cannot_be_read_is_told_when_it_is_needed(folder, name):
    (folder / name).write_bytes(b"nothing of the kind")
    embedder = OnnxEmbedder(folder)
    with pytest.raises(ModelError, match="cannot be read"):
        embedder.embed(["sun"])


def test_a_model_that_wants_more_than_tokens_or_knows_fewer_is_told(folder):
    (folder / "model.onnx").write_bytes(tiny_onnx.model(inputs=("input_ids", "pixels")))
    with pytest.raises(ModelError, match="asks for pixels"):
        OnnxEmbedder(folder).embed(["sun"])
    (folder / "model.onnx").write_bytes(tiny_onnx.model())
    vocabulary = json.loads((folder / "tokenizer.json").read_text())
    vocabulary["model"]["vocab"]["rain"] = 99
    (folder / "tokenizer.json").write_text(json.dumps(vocabulary))
    embedder = OnnxEmbedder(folder)
    assert embedder.embed(["sun"]).any()
    with pytest.raises(ModelError, match="cannot be run"):
        embedder.embed(["rain"])


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"modules": [{"type": "sentence_transformers.models.Dense"}]}, "Dense"),
        ({"1_Pooling/config": {"pooling_mode_lasttoken": True}}, "lasttoken"),
        ({"1_Pooling/config": []}, "must contain a JSON value of type dict"),
    ],
)
def test_what_is_not_known_here_is_refused_before_a_text_is_read(tmp_path, files, why):
    with pytest.raises(InvalidError, match=why):
        OnnxEmbedder(tiny_onnx.write(tmp_path / "odd", **files))


def test_a_configuration_that_is_not_json_is_told(folder):
    (folder / "sentence_bert_config.json").write_text("{")
    with pytest.raises(InvalidError, match="is not valid JSON"):
        read(folder, model=None, pooling=None, longest=None, prefix=None)


@pytest.mark.parametrize("bound", [{"batch": 0}, {"threads": 0}, {"longest": -1}])
def test_a_bound_that_bounds_nothing_is_refused(folder, bound):
    with pytest.raises(InvalidError):
        OnnxEmbedder(folder, **bound)


def test_what_is_not_installed_is_told_with_how_to_install_it(folder, monkeypatch):
    monkeypatch.setattr("bethink.models.onnx.find_spec", lambda name: None if name == "onnxruntime" else True)
    assert importlib.util.find_spec("onnxruntime")
    with pytest.raises(ImportError, match=r"bethink\[onnx\]"):
        OnnxEmbedder(folder)


def test_a_memory_searches_with_it(folder):
    with Memory(":memory:", embedder=OnnxEmbedder(folder)) as memory:
        alice = memory.scope(user="alice")
        alice.remember("rain rain")
        alice.remember("sun sun")
        assert alice.recall("sun")[0].text == "sun sun"


def test_an_embedder_is_named_in_one_word(folder):
    assert embedder_named("none") is None
    assert embedder_named("static").identity.startswith("bethink-static")
    assert embedder_named(f"onnx:{folder}").identity.startswith("onnx-")
    assert embedder_named("openai:text-embedding-3-small").identity == "openai:text-embedding-3-small"
    for odd in ("onnx", "onnx:", "static:x", "wordllama", ""):
        with pytest.raises(InvalidError, match="onnx:FOLDER"):
            embedder_named(odd)
