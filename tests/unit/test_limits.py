"""How a model's context is shared out."""

from chatmem.conversation import Limits
from chatmem.domain.model import ModelChoice, ModelFacts


def test_a_model_on_this_machine_is_shown_less_of_what_is_recalled() -> None:
    here, served = (ModelChoice(name="m", model=model) for model in ("builtin/qwen2.5-coder-1.5b", "openai/m"))

    recalled = [Limits().of(choice, ModelFacts()).recalled for choice in (here, served)]

    assert recalled == [500, 1500]


def test_what_the_person_set_lower_stays() -> None:
    here = ModelChoice(name="m", model="builtin/smollm2-135m")

    assert Limits(recalled=200).of(here, ModelFacts()).recalled == 200


def test_a_small_context_shows_less_of_what_is_recalled() -> None:
    assert Limits().within(2_000).recalled < 500
