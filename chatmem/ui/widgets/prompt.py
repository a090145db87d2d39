"""The prompt box."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.markup import escape
from textual.message import Message
from textual.widgets import TextArea

from chatmem.domain.errors import UsageError
from chatmem.domain.model import Image, ModelChoice
from chatmem.ui.failures import telling
from chatmem.ui.services import ScreenSettings, Services
from chatmem.ui.widgets.prompt_editor import edited, editor_command
from chatmem.ui.widgets.prompt_history import KEPT, SaidBefore
from chatmem.ui.widgets.prompt_images import chips, image_paths, typed_path
from chatmem.ui.widgets.prompt_pastes import Pastes
from chatmem.ui.widgets.vi_keys import ViKeys

OTHER_ENTERS = frozenset({"shift+enter", "ctrl+j", "alt+enter", "ctrl+enter"})
"""What Enter does not do, these do. Some terminals send but Ctrl+J."""

ENTER_SENDS = "Say something. Enter sends, Shift+Enter or Ctrl+J makes a new line."
ENTER_BREAKS = "Say something. Ctrl+J or Shift+Enter sends, Enter makes a new line."

TAKEN_OFF = "Backspace at the very start takes it off again"
NO_PICTURE = "there is no picture on this machine's clipboard"
NOT_SUSPENDED = "This terminal can't be lent to an editor."


def writing_keys(settings: ScreenSettings) -> tuple[tuple[str, str], ...]:
    """The keys of the prompt and what they do, for the help."""
    sends, breaks = ("Enter", "Shift+Enter, Ctrl+J") if settings.enter_sends else ("Ctrl+J, Shift+Enter", "Enter")
    vi = (("Esc; i", "vi keys: normal mode; insert mode"),) if settings.vi_keys else ()
    return (
        (sends, "send"),
        (breaks, "new line"),
        ("Up, Down", "what you said before; what you are typing waits"),
        ("Ctrl+O", "write in your editor"),
        ("F8, or drop a file", "attach a picture; Backspace at the start takes it off"),
        ("Ctrl+V", "attach the picture on the clipboard, or paste"),
        *vi,
    )


class PromptBox(TextArea):
    """Takes what the person types; grows with it.

    Args:
        services: What is behind the screen.
        choice: Tells the model that is talked to.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+shift+z", "redo", "Redo", show=False),
        Binding("ctrl+o", "editor", "Editor", show=False),
        Binding("f8", "attach", "Attach", show=False),
    ]

    class Submitted(Message):
        """The person wants to send `text` and `images`; whoever takes it calls `empty`."""

        def __init__(self, text: str, images: Sequence[Image] = ()) -> None:
            self.text = text
            self.images = tuple(images)
            super().__init__()

    class Emptied(Message):
        """The person wanted to send, with nothing typed."""

    class PageRequested(Message):
        """The person wants to scroll the transcript; `direction` is -1 for up, 1 for down."""

        def __init__(self, direction: int) -> None:
            self.direction = direction
            super().__init__()

    def __init__(self, services: Services, choice: Callable[[], ModelChoice | None] = lambda: None) -> None:
        self._settings = services.screen_settings
        placeholder = ENTER_SENDS if self._settings.enter_sends else ENTER_BREAKS
        super().__init__(placeholder=placeholder, compact=True, highlight_cursor_line=False)
        self._services = services
        self._choice = choice
        self._pastes = Pastes()
        self._said = SaidBefore()
        self._steps = 0
        self._images: tuple[Image, ...] = ()
        self._vi = ViKeys(self) if self._settings.vi_keys else None
        self._state = ""
        self._show_state()

    @property
    def words(self) -> str:
        """What was typed, with large pastes in full."""
        return self._pastes.in_full(self.text)

    @property
    def unsent(self) -> str:
        """What would be lost with the prompt: what was typed, even while something said before is shown."""
        return self._pastes.in_full(self._said.unsent(self.text))

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures that are to go with it."""
        return self._images

    @property
    def redoes(self) -> bool:
        """Whether Ctrl+R does again what was undone, as vi has it."""
        return self.has_focus and self._vi is not None and self._vi.normal

    def restore(self, text: str, images: Sequence[Image] = ()) -> None:
        """Put back what could not be sent, before what was typed since."""
        typed, attached = self.unsent, self._images
        self.empty()
        self.insert(self._pastes.shown(text + ("\n" + typed if typed else "")))
        self._hold((*images, *attached))

    def write(self, text: str) -> None:
        """Put a text in place of what is typed; that can be undone."""
        self._show(text)

    def empty(self) -> None:
        """Begin anew."""
        self.clear()
        self.history.clear()
        self._pastes.clear()
        self._said.end()
        self._hold(())
        if self._vi is not None:
            self._vi.insert()

    def state(self, text: str) -> None:
        """Say at the frame what is going on."""
        self._state = text
        self._show_state()

    def hint(self, text: str) -> None:
        """Say something at the frame until the next key."""
        self.border_subtitle = escape(text)

    def on_key(self, event: events.Key) -> None:
        """Send on Enter and make a new line on its relatives, or the other way round."""
        if self._vi is not None and self._vi.take(event.key, event.character if event.is_printable else None):
            event.prevent_default().stop()
        elif event.key == "enter" or event.key in OTHER_ENTERS:
            event.prevent_default().stop()
            if (event.key == "enter") is self._settings.enter_sends:
                self._show_state()
                self._submit()
                return
            self.replace("\n", *self.selection)
        self._show_state()

    def on_paste(self, event: events.Paste) -> None:
        """Take a paste: pictures that were dropped are attached, a large text is kept aside and shown as one line."""
        event.prevent_default().stop()
        if paths := image_paths(event.text):
            self._attach_dropped(paths, event.text)
        else:
            self._put(event.text)

    def action_cursor_up(self, select: bool = False) -> None:
        """Go up a line; on the first one, to what was said before."""
        if select or not self.navigator.is_first_wrapped_line(self.cursor_location):
            super().action_cursor_up(select)
        else:
            self._walk(1)

    def action_cursor_down(self, select: bool = False) -> None:
        """Go down a line; on the last one, back to what is being typed."""
        if select or not self._said.walking or not self.navigator.is_last_wrapped_line(self.cursor_location):
            super().action_cursor_down(select)
        else:
            self._walk(-1)

    def action_cursor_page_up(self) -> None:
        """Scroll the transcript rather than the prompt."""
        self.post_message(self.PageRequested(-1))

    def action_cursor_page_down(self) -> None:
        """Scroll the transcript rather than the prompt."""
        self.post_message(self.PageRequested(1))

    def action_delete_left(self) -> None:
        """Delete a character; at the very start, take the last picture off."""
        if self._images and self.selection.is_empty and self.cursor_location == (0, 0):
            self._hold(self._images[:-1])
        else:
            super().action_delete_left()

    def action_paste(self) -> None:
        """Attach the picture on the clipboard; where there is none, paste."""
        self._paste_image()

    @work(group="attach")
    async def action_attach(self) -> None:
        """Ask for the path of a picture, and attach it."""
        from chatmem.ui.screens.attach import AttachDialog

        with telling(self):
            if typed := await self.app.push_screen_wait(AttachDialog()):
                await self._take((await asyncio.to_thread(self._services.read_image, typed_path(typed)),))

    def action_editor(self) -> None:
        """Open the text in the person's editor."""
        # Blocking is right here: the terminal is the editor's, and nothing could be shown.
        with telling(self):
            command = editor_command(self._settings.editor)
            try:
                with self.app.suspend():
                    text = edited(self.words, command)
            except SuspendNotSupported as error:
                raise UsageError(NOT_SUSPENDED) from error
            self._show(self._pastes.shown(text))

    def _submit(self) -> None:
        if self.words.strip() or self._images:
            self.post_message(self.Submitted(self.words, self._images))
        else:
            self.post_message(self.Emptied())

    def _put(self, text: str) -> None:
        result = self.replace(self._pastes.shown(text), *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)

    def _show(self, text: str) -> None:
        if text != self.text:
            self.replace(text, (0, 0), self.document.end)
        self.move_cursor(self.document.end)

    def _hold(self, images: tuple[Image, ...]) -> None:
        self._images = images
        self.border_title = escape(chips(images))

    def _show_state(self) -> None:
        mode = self._vi.mode if self._vi is not None else ""
        shown = escape(" · ".join(filter(None, (mode, self._state))))
        if shown != self.border_subtitle:  # to set it draws the prompt
            self.border_subtitle = shown

    @work(group="attach")
    async def _paste_image(self) -> None:
        with telling(self):
            image = await asyncio.to_thread(self._services.clipboard_image)
            if image is not None:
                await self._take((image,))
            elif self.app.clipboard:
                self._put(self.app.clipboard)
            else:
                self.hint(NO_PICTURE)

    @work(group="attach")
    async def _attach_dropped(self, paths: Sequence[Path], pasted: str) -> None:
        with telling(self):
            try:
                images = [await asyncio.to_thread(self._services.read_image, path) for path in paths]
            except UsageError as error:
                self._put(pasted)
                self.hint(str(error))
            else:
                await self._take(images)

    async def _take(self, images: Sequence[Image]) -> None:
        self._hold((*self._images, *images))
        choice = self._choice()
        if choice is not None and (await asyncio.to_thread(self._services.facts, choice)).vision is False:
            self.hint(f"{choice.name} takes no images: F5 switches to a model that does")
        else:
            self.hint(TAKEN_OFF)

    def _walk(self, by: int) -> None:
        if self._said.walking:
            self._step(by)
        else:
            self._steps += by
            self._begin_walk()

    @work(group="said")
    async def _begin_walk(self) -> None:
        with telling(self):
            said = await asyncio.to_thread(lambda: self._services.log.said(limit=KEPT))
            steps, self._steps = self._steps, 0
            if steps:  # else another key, pressed meanwhile, has taken this one's step too
                self._said.begin(said)
                self._step(steps)

    def _step(self, by: int) -> None:
        text = self._said.step(by, self.text)
        if text is not None:
            self._show(self._pastes.shown(text))
        elif by > 0:
            super().action_cursor_up()
