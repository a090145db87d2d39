"""What is a command, what is said to the model, and which names are meant."""

import pytest

from chatmem.domain.errors import UsageError
from chatmem.ui.widgets.slash_commands import BY_NAME, COMMANDS, Call, beginning_with, called


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "",
        "/",
        "//remember this",
        "// a comment",
        "/usr/bin",
        "/usr/bin is full",
        "/* C */",
        "a /quit",
        " /quit",
    ],
)
def test_what_is_no_name_behind_one_slash_is_said_to_the_model(text: str) -> None:
    assert called(text) is None


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("/quit", Call(command=BY_NAME["quit"])),
        ("/Quit \n", Call(command=BY_NAME["quit"])),
        ("/remember I live in\nPorto.", Call(command=BY_NAME["remember"], argument="I live in\nPorto.")),
        ("/remember /usr/bin is full", Call(command=BY_NAME["remember"], argument="/usr/bin is full")),
        ("/memory", Call(command=BY_NAME["memory"])),
        ("/memory  bread ", Call(command=BY_NAME["memory"], argument="bread")),
    ],
)
def test_a_command_is_taken_with_all_that_stands_behind_its_name(text: str, call: Call) -> None:
    assert called(text) == call


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("/remeber x", "there is no /remeber, but /remember; a space before it sends it as text"),
        ("/tmp", "there is no /tmp; a space before it sends it as text"),
        ("/remember", "it takes something behind it: /remember TEXT"),
        ("/quit now", "/quit takes nothing behind it; a space before it sends it as text"),
    ],
)
def test_what_can_not_be_done_is_told_with_the_cure(text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        called(text)

    assert str(error.value) == said


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("/re", ["remember", "review", "recalled"]),
        ("/MOD", ["model"]),
        ("/zzz", []),
        ("/remember ", []),
        ("re", []),
        ("//", []),
        ("/usr/bin", []),
    ],
)
def test_the_list_narrows_with_what_was_typed(text: str, names: list[str]) -> None:
    assert [command.name for command in beginning_with(text)] == names


def test_a_slash_alone_lists_everything() -> None:
    assert beginning_with("/") == list(COMMANDS)
