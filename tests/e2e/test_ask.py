"""`chatmem ask`, run as a user runs it, where more happens than a question and its answer."""

import pytest
from PIL import Image

from tests.e2e.home import Home
from tests.fakes.openai_server import Answer, OpenAIServer


@pytest.fixture
def place(home: Home, server: OpenAIServer) -> Home:
    """A home with two models on one server, of which one falls back on the other."""
    home.env["FAKE_KEY"] = "fake-key-for-tests"
    (home.folder / "config.toml").write_text(
        'model = "fake"\n[consolidation]\nextractor = "rules"\n'
        f'[providers.fake]\nmodel = "openai/fake"\napi_base = "{server.base_url}"\napi_key_env = "FAKE_KEY"\n'
        'fallback = "other"\n'
        f'[providers.other]\nmodel = "openai/other"\napi_base = "{server.base_url}"\napi_key_env = "FAKE_KEY"\n'
    )
    return home


def test_an_answer_that_was_cut_says_so_and_is_continued(place: Home, server: OpenAIServer) -> None:
    server.replies.append(Answer(text="The quick brown", finish="length"))

    cut = place.run("ask", "Tell me")
    session = place.run("sessions", "list", "--json").json()[0]["id"]
    server.replies.append(Answer(text=" fox jumps."))
    rest = place.run("ask", "--session", session, "--go-on")

    assert f"chatmem ask --session {session} --go-on" in cut.err
    assert (cut.out, rest.out) == ("The quick brown\n", " fox jumps.\n")
    turns = place.run("sessions", "show", session, "--json").json()["turns"]
    assert [turn["text"] for turn in turns] == ["Tell me", "The quick brown fox jumps."]


def test_a_whole_answer_is_not_continued(place: Home) -> None:
    place.run("ask", "Tell me")

    ran = place.run("ask", "--continue", "--go-on")

    assert ran.code == 2
    assert "nothing to continue" in ran.err


@pytest.mark.parametrize("arguments", [("--go-on",), ("--continue", "--go-on", "And then?")])
def test_going_on_needs_a_session_and_no_words(place: Home, arguments: tuple[str, ...]) -> None:
    assert place.run("ask", *arguments).code == 2


def test_the_model_in_its_place_is_named_on_standard_error(place: Home, server: OpenAIServer) -> None:
    server.replies.append(Answer(status=401, error="wrong key"))

    ran = place.run("ask", "Tell me", "--json")

    assert ran.json()["model"] == "other"
    assert ran.json()["finish_reason"] == "stop"
    assert "Asking other instead." in ran.err


def test_an_image_is_shown_to_the_model(place: Home, server: OpenAIServer) -> None:
    Image.new("RGB", (4, 4)).save(place.folder / "dot.png")

    ran = place.run("ask", "What is this?", "--image", "dot.png")

    assert ran.code == 0, ran.err
    assert "image_url" in str(server.requests[-1].body["messages"][-1])


def test_a_file_that_is_no_image_is_refused_before_anything_is_said(place: Home) -> None:
    (place.folder / "note.txt").write_text("no image")

    ran = place.run("ask", "What is this?", "--image", "note.txt")

    assert ran.code == 2
    assert place.run("sessions", "list", "--json").json() == []


def test_json_tells_where_the_best_lay_and_what_the_answer_used(place: Home, server: OpenAIServer) -> None:
    place.run("memory", "add", "I live in Porto.")
    server.replies.append(Answer(text="You live in Porto."))

    answer = place.run("ask", "Where do I live?", "--json").json()

    assert answer["tier"] == "learned"
    assert [(item["text"], item["injected"], item["used"]) for item in answer["recalled"]] == [
        ("I live in Porto.", True, True)
    ]
