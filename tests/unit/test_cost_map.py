"""What litellm's own list says of models, and which of a provider's are offered."""

import pytest

from chatmem.adapters.litellm.cost_map import facts_of, models_of


@pytest.mark.parametrize("model", ["openai/gpt-4o", "gpt-4o", "azure/gpt-4o", "gemini/gemini-3.8-flash"])
def test_context_prices_and_abilities_are_known(model: str) -> None:
    facts = facts_of(model)

    assert facts is not None
    assert (facts.tools, facts.vision) == (True, True)
    assert (facts.context_tokens or 0) > 100_000
    assert 0 < (facts.prompt_usd or 0) < (facts.completion_usd or 0) < 100


def test_what_a_model_cannot_do_is_not_promised() -> None:
    facts = facts_of("groq/openai/gpt-oss-120b")

    assert facts is not None
    assert facts.reasoning
    assert not facts.vision


@pytest.mark.parametrize("model", ["lm_studio/gpt-4o", "llamafile/gpt-4o", "nobody/nothing", "", "/", "mine"])
def test_a_model_of_another_provider_has_no_facts_though_its_name_is_known(model: str) -> None:
    assert facts_of(model) is None


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "mistral", "groq", "deepseek", "cohere_chat"])
def test_the_models_of_a_provider_are_named_as_litellm_takes_them(provider: str) -> None:
    models = models_of(provider)

    assert models
    assert all(model.startswith(f"{provider}/") and facts_of(model) for model in models)


def test_newer_ones_come_first_and_what_is_retired_odd_or_a_repetition_is_left_out() -> None:
    models = models_of("openai")

    assert models.index("openai/gpt-5.5") < models.index("openai/gpt-4.1") < models.index("openai/gpt-4o")
    assert not {"openai/gpt-4-0613", "openai/gpt-4o-2024-11-20", "openai/ft:gpt-3.5-turbo"} & set(models)


def test_a_provider_that_the_list_lacks_has_no_models() -> None:
    assert models_of("nobody") == []
