"""Everything that can be done by name: one table for what is typed behind a `/`, the command palette and the help."""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from chatmem.domain.errors import UsageError

AS_TEXT = "a space before it sends it as text"

_CALL = re.compile(r"/([^\W\d_][\w-]*)(?:\s+(.*))?", re.DOTALL)
_NAME = re.compile(r"/([\w-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something that can be done by name.

    Attributes:
        name: What is typed behind the `/`.
        title: In the command palette and the help.
        meaning: In the command palette, and beside the title while the name is typed.
        action: The action of the chat screen that does it; called with what was typed behind the name, where a command
            takes an argument.
        argument: How its argument is shown, in brackets where it may be left out; empty for none.
    """

    name: str
    title: str
    meaning: str
    action: str
    argument: str = ""

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"/{self.name} {self.argument}".rstrip()

    @property
    def needs_argument(self) -> bool:
        """Whether it makes no sense alone."""
        return bool(self.argument) and not self.argument.startswith("[")

    @property
    def everywhere(self) -> bool:
        """Whether it can be done on every screen."""
        return self.action.startswith("app.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A command as it was typed."""

    command: Command
    argument: str = ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """What its action is called with."""
        return (self.argument,) if self.argument else ()


COMMANDS = (
    Command(
        name="remember",
        argument="TEXT",
        title="Remember this",
        meaning="Keep a text as a memory, at once",
        action="remember",
    ),
    Command(name="new", title="New conversation", meaning="Begin anew; this one stays in the list", action="new"),
    Command(
        name="model",
        argument="[NAME]",
        title="Switch the model",
        meaning="It answers from the next turn on",
        action="model",
    ),
    Command(
        name="memory",
        argument="[WORDS]",
        title="Memories",
        meaning="See, trace, correct and forget what is known",
        action="memories",
    ),
    Command(name="card", title="Profile card", meaning="What is known of you, on one page", action="card"),
    Command(name="review", title="Review", meaning="Decide on memories that wait for your word", action="review"),
    Command(name="changes", title="Changes", meaning="See what changed in memory, and take it back", action="changes"),
    Command(name="health", title="Health", meaning="How well memory does: figures, and what is stale", action="health"),
    Command(
        name="tombstones",
        title="Tombstones",
        meaning="What keeps the forgotten from coming back",
        action="tombstones",
    ),
    Command(
        name="why",
        title="Why this answer",
        meaning="What was recalled, shown and used",
        action="why",
    ),
    Command(
        name="context",
        title="What the model was sent",
        meaning="The prompt, with its tokens",
        action="context",
    ),
    Command(
        name="as-of",
        argument="[DATE]",
        title="Recall as of a day",
        meaning="Until /as-of alone comes back",
        action="as_of",
    ),
    Command(
        name="pause",
        title="Pause learning",
        meaning="Here, until /pause goes on with it",
        action="pause",
    ),
    Command(name="sessions", title="Sessions", meaning="Go to the list of conversations", action="sessions"),
    Command(
        name="recalled", title="Recalled", meaning="Show or hide what was recalled for the answer", action="recalled"
    ),
    Command(
        name="find",
        title="Search this conversation",
        meaning="From hit to hit",
        action="find",
    ),
    Command(
        name="search",
        argument="[WORDS]",
        title="Search all conversations",
        meaning="Open one where it is said",
        action="search",
    ),
    Command(
        name="export",
        argument="[FILE]",
        title="Export this conversation",
        meaning="As Markdown or JSON",
        action="export",
    ),
    Command(
        name="strategy",
        title="Working memory strategy",
        meaning="Window, or running summary",
        action="strategy",
    ),
    Command(name="good", title="Good answer", meaning="It counts for the instructions it followed", action="good"),
    Command(name="bad", title="Bad answer", meaning="It counts against what it followed", action="bad"),
    Command(name="stop", title="Stop the answer", meaning="What has arrived is kept", action="stop"),
    Command(name="copy", title="Copy the last answer", meaning="To the clipboard", action="copy_answer"),
    Command(
        name="consolidate",
        title="Learn now",
        meaning="Turn what was said into memories at once",
        action="learn",
    ),
    Command(
        name="providers", title="Provider profiles", meaning="Add, edit, check and remove them", action="app.providers"
    ),
    Command(
        name="profiles",
        title="Profiles",
        meaning="Switch, create, erase; they share nothing",
        action="app.profiles",
    ),
    Command(name="theme", argument="[NAME]", title="Theme", meaning="Change the colours", action="app.colours"),
    Command(name="help", title="Help", meaning="All keys and commands", action="app.help"),
    Command(name="quit", title="Quit", meaning="Leave chatmem; nothing is lost", action="app.quit"),
)
BY_NAME = {command.name: command for command in COMMANDS}


def beginning_with(text: str) -> list[Command]:
    """The commands whose name may become of what was typed so far; none where that is no `/` and a name."""
    typed = _NAME.fullmatch(text)
    if typed is None:
        return []
    begun = typed[1].lower()
    return sorted((one for one in COMMANDS if one.name.startswith(begun)), key=lambda one: one.name != begun)


def called(text: str) -> Call | None:
    """The command that a text is; `None` where it is something to say, as are paths and what begins with `//`.

    Raises:
        UsageError: If there is no such command, or it needs, or doesn't take, what stands behind its name.
    """
    typed = _CALL.fullmatch(text.rstrip())
    if typed is None:
        return None
    name, argument = typed[1].lower(), (typed[2] or "").strip()
    command = BY_NAME.get(name)
    if command is None:
        near = " or ".join(f"/{one}" for one in get_close_matches(name, BY_NAME, n=2))
        raise UsageError(f"there is no /{name}{f', but {near}' if near else ''}; {AS_TEXT}")
    if command.needs_argument and not argument:
        raise UsageError(f"it takes something behind it: {command.usage}")
    if argument and not command.argument:
        raise UsageError(f"/{name} takes nothing behind it; {AS_TEXT}")
    return Call(command=command, argument=argument)
