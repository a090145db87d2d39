"""The measurement of what answers make of memory, against a server that repeats the notes it was given."""

from pathlib import Path

import pytest

from chatmem.bench.personalisation import DETAILS, Share, measure, shows
from chatmem.bootstrap import Installation
from chatmem.domain.errors import ProviderError
from tests.fakes.openai_server import Answer, OpenAIServer


def an_installation(folder: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> Installation:
    monkeypatch.setenv("FAKE_KEY", "fake-key-for-tests")
    file = folder / "config.toml"
    file.write_text(
        'model = "fake"\n[embedding]\nenabled = false\n'
        f'[providers.fake]\nmodel = "openai/fake"\napi_base = "{server.base_url}"\napi_key_env = "FAKE_KEY"\n'
    )
    return Installation(config_file=file, flags={"cache_dir": folder / "cache"})


def test_no_question_gives_its_detail_away() -> None:
    assert [detail.shown[0] for detail in DETAILS if shows(detail.question, detail)] == []
    assert all(shows(detail.told, detail) for detail in DETAILS)


def test_the_interval_of_a_share_is_wilsons() -> None:
    low, high = Share(number=8, of=10).interval

    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert Share(number=0, of=20).interval[0] == 0.0


def test_what_was_told_is_learned_recalled_and_looked_for_in_both_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    with OpenAIServer(always="I do not know.") as server:
        server.replies += [Answer(text="I do not know."), Answer(text="You live in Porto, on the Douro.")]
        measured = measure(
            an_installation(tmp_path, server, monkeypatch), tell=told.append, details=(DETAILS[0], DETAILS[-1])
        )

    assert [(one.recalled, one.without, one.with_memory) for one in measured.asked] == [
        (True, False, True),
        (True, False, False),
    ]
    assert measured.shares["with"].value == 0.5
    assert told[0] == "Porto: does not show without memory, shows with it"


def test_a_model_that_fails_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(always="") as server:
        server.replies.append(Answer(status=401, error="wrong key"))

        with pytest.raises(ProviderError):
            measure(an_installation(tmp_path, server, monkeypatch), tell=lambda _: None, details=DETAILS[:1])
