"""The settings: what is read from where, what is refused, and that what is written stays whole."""

from pathlib import Path

import pytest

from chatmem.config.reading import Explained, explain, load
from chatmem.config.schema import ProviderSettings, Settings
from chatmem.config.writing import remove_provider, save, save_provider
from chatmem.domain.errors import SettingsError

KEY = "synthetic-key-4711"

WRITTEN = """\
# My settings
model = "work"  # the quick one

[recall]
budget_tokens = 900  # enough

[providers.work]
model = "openai/small"
api_key_env = "WORK_KEY"
fallback = "home"

[providers.home]
# runs here
model = "ollama_chat/llama"
"""


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CHATMEM_MODEL", "CHATMEM_PROFILE", "CHATMEM_DATA_DIR", "CHATMEM_CACHE_DIR", "CHATMEM_CONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(WRITTEN)
    return file


def explained(file: Path) -> dict[str, Explained]:
    return {row.key: row for row in explain(file, {})}


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml", {}) == Settings()


def test_a_variable_wins_over_the_file_and_a_flag_over_both(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATMEM_MODEL", "from-variable")
    monkeypatch.setenv("CHATMEM_RECALL__BUDGET_TOKENS", "7")
    monkeypatch.setenv("CHATMEM_PROMPT__VI", "true")
    monkeypatch.setenv("CHATMEM_PROVIDERS__WORK__TEMPERATURE", "0.5")

    settings = load(file, {"model": "from-flag", "data_dir": Path("/there")})

    assert (settings.model, settings.recall.budget_tokens, settings.prompt.vi) == ("from-flag", 7, True)
    assert (settings.data_dir, settings.providers["work"].temperature) == (Path("/there"), 0.5)
    assert settings.providers["work"].model == "openai/small"


def test_an_empty_variable_says_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATMEM_MODEL", "")

    assert load(file, {}).model == "work"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour = 'red'", "unknown key: colour. Known there are: background, "),
        (
            "[recall]\nbudget = 1",
            "unknown key: recall.budget. Known there are: budget_tokens, card_tokens, edge, remote",
        ),
        (
            "[providers.work]\nmodel = 'a/b'\nmodle = 'c'",
            "unknown key: providers.work.modle. Known there are: api_base",
        ),
        ("[providers.work]\napi_base = 'http://x'", "lacks the key providers.work.model"),
        (
            "[recall]\nbudget_tokens = -1",
            "recall.budget_tokens in the settings file .* is wrong: it must be a whole number of at least 0",
        ),
        ("[working_memory]\nstrategy = 'magic'", "must be one of 'sliding', 'summarising'"),
        ("[providers.work]\nmodel = 'a/b'\ntemperature = 9", "providers.work.temperature in .* of at most 2.0"),
        ("[providers.work]\nmodel = 'a/b'\nfallback = 'x'", "falls back on 'x', but no profile has that name"),
        ("[providers.a]\nmodel = 'm'\nfallback = 'a'", "in a circle: a → a"),
        (
            "[providers.a]\nmodel = 'm'\nfallback = 'b'\n[providers.b]\nmodel = 'm'\nfallback = 'a'",
            "in a circle: a → b → a",
        ),
        ("[providers.a]\nmodel = 'm'\napi_key_env = 'A'\napi_key_command = 'b'", "names its key twice"),
        ("recall = 3", "recall in the settings file .* is wrong: it must be a table"),
        ("data_dir = 3", "data_dir in the settings file .* is wrong: it must be a text"),
        ("model = [", "can't be read"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)

    with pytest.raises(SettingsError, match=says) as raised:
        load(file, {})

    assert "config.toml" in str(raised.value)


def test_a_wrong_variable_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATMEM_RECALL__BUDGET_TOKENS", "many")

    with pytest.raises(SettingsError, match=r"recall\.budget_tokens in the CHATMEM_\* variables"):
        load(file, {})


@pytest.mark.parametrize("text", [f"api_key = '{KEY}'", f"[providers.work]\nmodel = 'a/b'\napi_key = '{KEY}'"])
def test_a_key_in_the_file_is_refused_and_never_repeated(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)

    with pytest.raises(SettingsError, match=r"api_key_env.*api_key_command.*api_key_keyring") as raised:
        load(file, {})

    assert KEY not in str(raised.value)


def test_settings_show_where_they_come_from_and_no_key(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATMEM_THEME", "chatmem-light")
    save(file, "providers.work.headers.X-Team", KEY)
    save(file, "providers.work.api_base", f"https://ana:{KEY}@gateway.example/v1")
    save(file, "providers.home.api_key_command", "echo sk-synthetic4711")

    rows = explained(file)

    assert (rows["theme"].origin, rows["model"].origin) == ("CHATMEM_THEME", str(file))
    assert rows["recall.budget_tokens"].value == 900
    assert rows["builtin.threads"].origin == "default"
    assert rows["providers.work.headers.X-Team"].value == "***"
    assert rows["providers.home.api_key_command"].value == "echo ***"
    assert not any(KEY in str(row.value) for row in rows.values())


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("model", "42", "42"),
        ("recall.budget_tokens", "1200", 1200),
        ("consolidation.idle_s", "30", 30.0),
        ("prompt.vi", "true", True),
        ("prompt.enter", "newline", "newline"),
        ("background.model", "home", "home"),
        ("chat.usd_per_day", "1.5", 1.5),
        ("chat.tokens_per_day", "50000", 50000),
        ("data_dir", "/there", "/there"),
        ("providers.home.temperature", "0.2", 0.2),
        ("providers.new.one.model", "groq/x", "groq/x"),
        ("providers.home.headers.X-A.B", "c", "***"),
    ],
)
def test_a_setting_is_written_typed_and_read_back(file: Path, key: str, text: str, value: object) -> None:
    save(file, key, text)

    row = explained(file)[key]
    assert (row.value, row.origin) == (value, str(file))


def test_an_empty_text_goes_back_to_the_default(file: Path) -> None:
    save(file, "recall.budget_tokens", "")
    save(file, "recall.budget_tokens", "")

    assert load(file, {}).recall.budget_tokens == 1500


def test_comments_and_order_stay(file: Path) -> None:
    save(file, "recall.budget_tokens", "1000")
    save(file, "theme", "chatmem-light")
    save(file, "recall.budget_tokens", "900")
    save(file, "theme", "")

    assert file.read_text() == WRITTEN


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("recall.budget_token", "1", "Near it are: recall.budget_tokens"),
        ("zzz", "1", "Known at the top are: "),
        ("recall", "1", "no setting recall"),
        ("providers.work.modle", "x", r"Near it are: .*providers\.work\.model"),
        ("providers.work.headers", "x", "no setting"),
        ("providers.work.api_key", KEY, "api_key_env"),
        ("recall.budget_tokens", "-1", "a whole number of at least 0"),
        ("recall.budget_tokens", "many", "a whole number"),
        ("prompt.vi", "perhaps", "true or false"),
        ("prompt.enter", "shout", "must be one of 'send', 'newline'"),
        ("providers.home.fallback", "work", "circle"),
        ("providers.home.fallback", "nobody", "no profile has that name"),
        ("providers.new.temperature", "1", "lacks the key providers.new.model"),
        ("providers.work.model", "", "lacks the key providers.work.model"),
        ("providers.work.api_key_command", "x", "names its key twice"),
    ],
)
def test_what_would_be_wrong_is_not_written(file: Path, key: str, text: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says) as raised:
        save(file, key, text)

    assert file.read_text() == WRITTEN
    assert KEY not in str(raised.value)


def test_a_wrong_setting_can_be_set_right(file: Path) -> None:
    file.write_text("[recall]\nbudget_tokens = 'many'\n")

    save(file, "recall.budget_tokens", "5")

    assert load(file, {}).recall.budget_tokens == 5


def test_the_first_setting_makes_the_file_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "config.toml"

    save(file, "model", "home")

    assert file.read_text() == 'model = "home"\n'
    assert file.stat().st_mode & 0o077 == 0
    assert [file] == list(file.parent.iterdir())


def test_a_file_that_is_a_link_stays_one(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(file)

    save(link, "model", "home")

    assert link.is_symlink()
    assert load(file, {}).model == "home"


def test_a_profile_is_written_changed_and_renamed_everywhere(file: Path) -> None:
    save_provider(file, "fast", ProviderSettings(model="groq/x", headers={"X-A": "b"}))
    save_provider(file, "away", ProviderSettings(model="ollama_chat/llama", api_base="http://there"), replaces="home")
    save_provider(file, "office", ProviderSettings(model="openai/small", fallback="away"), replaces="work")

    settings = load(file, {})

    assert settings.providers == {
        "office": ProviderSettings(model="openai/small", fallback="away"),
        "away": ProviderSettings(model="ollama_chat/llama", api_base="http://there"),
        "fast": ProviderSettings(model="groq/x", headers={"X-A": "b"}),
    }
    assert settings.model == "office"
    assert "# runs here" in file.read_text()


@pytest.mark.parametrize(
    "text",
    [
        '[providers.home]\nmodel = "a"\n\n[recall]\nbudget_tokens = 5\n\n[providers.work]\nmodel = "b"\n',
        '[providers.home]\nmodel = "a"\n[providers.work.headers]\nX = "1"\n[recall]\n[providers.work]\nmodel = "b"\n',
        'providers.home.model = "a"\nproviders.work.model = "b"\n\n[recall]\nbudget_tokens = 5\n',
        'providers = {home = {model = "a"}, work = {model = "b"}}\n',
        '[recall]\n[providers]\n[providers.home]\nmodel = "a"\n[chat]\n[providers.work]\nmodel = "b"\n[background]\n',
    ],
)
def test_a_profile_is_added_changed_and_removed_wherever_the_others_stand(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)

    save_provider(file, "fast", ProviderSettings(model="groq/x", headers={"X-A": "b"}))
    save_provider(file, "fast", ProviderSettings(model="groq/y", api_base="http://there"), replaces="fast")
    added = load(file, {}).providers
    remove_provider(file, "home")

    assert {name: one.model for name, one in added.items()} == {"home": "a", "work": "b", "fast": "groq/y"}
    assert added["fast"] == ProviderSettings(model="groq/y", api_base="http://there")
    assert set(load(file, {}).providers) == {"work", "fast"}


def test_a_profile_that_is_removed_is_no_model_to_talk_to_any_more(file: Path) -> None:
    remove_provider(file, "work")

    settings = load(file, {})
    assert (settings.model, list(settings.providers)) == (None, ["home"])


def test_a_profile_that_others_fall_back_on_is_not_removed(file: Path) -> None:
    with pytest.raises(SettingsError, match="falls back on 'home'"):
        remove_provider(file, "home")

    assert file.read_text() == WRITTEN


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't be read"):
        save(tmp_path, "model", "x")
