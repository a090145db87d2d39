"""The app: themes, the command palette, and the screens."""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import PurePath
from threading import Thread
from typing import ClassVar

from textual import on, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from chatmem.consolidation.news import ConsolidationNews
from chatmem.domain.errors import ChatMemError
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import SessionId
from chatmem.ui.failures import UNEXPECTED, tell, telling
from chatmem.ui.messages import LoadingChanged, NewsArrived, ProfileSaved
from chatmem.ui.screens.chat import ChatScreen
from chatmem.ui.services import Services
from chatmem.ui.themes import DEFAULT_THEME, ThemeWatch, load_themes
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.slash_commands import COMMANDS

FEW_COLOURS = "-few-colours"
"""Class of the app on a terminal of 16 colours, and with `NO_COLOR`: shades that lie near each other look the same."""

THEME_LOOK_S = 2.0
"""Between two looks whether a theme file has changed."""

logger = logging.getLogger(__name__)


class ChatMemApp(App[None]):
    """chatmem on the screen.

    Args:
        services: What is behind the screen.
        choice: The model to talk to; `None` asks for one first.
        session_id: The session to open; `None` for a new one.
        resume_latest: Open the session last spoken in.
        theme: The theme's name.

    Attributes:
        profile_wanted: The profile to open once the app has closed; empty for none.
    """

    TITLE = "chatmem"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "chat.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", show=False),
        Binding("question_mark", "help", "Help", show=False),
        Binding("ctrl+q", "quit", "Quit", priority=True),
    ]

    def __init__(
        self,
        services: Services,
        choice: ModelChoice | None,
        session_id: SessionId | None = None,
        resume_latest: bool = False,
        theme: str = DEFAULT_THEME,
    ) -> None:
        super().__init__()
        self.profile_wanted = ""
        self._services = services
        self._choice = choice
        self._chat = ChatScreen(services, choice, session_id=session_id, resume_latest=resume_latest)
        self._faults = self._read_themes(theme)
        self._kept_theme = self.theme
        self._theme_watch = ThemeWatch(services.theme_folders)

    def get_default_screen(self) -> Screen[None]:
        """Begin with the chat: nothing else has to be painted first."""
        return self._chat

    def on_mount(self) -> None:
        """Ask for a model where none is chosen, and load what is heavy after the first paint."""
        for fault in self._faults:
            tell(self, fault)
        sixteen = self.console.color_system == "standard" and not self.is_headless
        self.set_class(self.no_color or sixteen, FEW_COLOURS)
        self.theme_changed_signal.subscribe(self, self._save_theme)
        self.set_interval(THEME_LOOK_S, self.follow_themes)
        if self._choice is None:
            from chatmem.ui.screens.welcome import WelcomeScreen

            self.push_screen(WelcomeScreen(self._services), self._take)
        self.call_after_refresh(Thread(target=self._warm_up, name="warm-up", daemon=True).start)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Everything that can be done, for the command palette."""
        if isinstance(screen, ChatScreen):
            yield from screen.commands()
            yield from self._writing_commands(screen.query_one(PromptBox))
        for command in COMMANDS:
            if command.everywhere:
                run = partial(self.call_later, self.run_action, command.action)
                yield SystemCommand(command.title, command.meaning, run)

    def action_colours(self, name: str = "") -> None:
        """Take the theme of a name; without one, pick it."""
        if not name:
            self.action_change_theme()
        elif name in self.available_themes:
            self.theme = name
        else:
            tell(self, f"There is no theme {name}. /theme alone lists them.")

    def action_help(self) -> None:
        """Show the keys."""
        from chatmem.ui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self._services.screen_settings))

    def action_providers(self) -> None:
        """Show the provider profiles."""
        from chatmem.ui.screens.providers import ProvidersScreen

        self.push_screen(ProvidersScreen(self._services))

    def action_profiles(self) -> None:
        """Show the profiles; one that is picked is opened when all of this one is closed."""
        from chatmem.ui.screens.profiles import ProfilesScreen

        def picked(name: str | None) -> None:
            if name is not None:
                self.profile_wanted = name
                self.exit()

        self.push_screen(ProfilesScreen(self._services.profile_folders), picked)

    @work(exclusive=True, group="themes")
    async def follow_themes(self) -> None:
        """Take over themes whose files have changed; where one is broken, it stays as it was."""
        themes, faults = await asyncio.to_thread(self._theme_watch.changed)
        for fault in faults:
            tell(self, fault)
        for theme in themes:
            self.register_theme(theme)
        if any(theme.name == self.theme for theme in themes):
            self.mutate_reactive(ChatMemApp.theme)

    @on(NewsArrived)
    def _hear(self, event: NewsArrived) -> None:
        self._chat.hear(event.news)

    @on(LoadingChanged)
    def _show_loading(self, event: LoadingChanged) -> None:
        self._chat.show_loading(event.what)

    @on(ProfileSaved)
    def _use_as_saved(self, event: ProfileSaved) -> None:
        self._chat.renew(event.was, self._services.models.resolve(event.name))

    def _writing_commands(self, prompt: PromptBox) -> Iterator[SystemCommand]:
        yield SystemCommand("Attach a picture", "By its path", prompt.action_attach)
        yield SystemCommand(
            "Attach the picture on the clipboard", "Where the model looks at pictures", prompt.action_paste
        )
        yield SystemCommand("Write in your editor", "The text of the prompt, in $EDITOR", prompt.action_editor)

    def _take(self, choice: ModelChoice | None) -> None:
        if choice is not None:
            self._chat.use(choice)

    def _read_themes(self, wanted: str) -> list[str]:
        themes, faults = load_themes(self._services.theme_folders)
        for theme in themes:
            self.register_theme(theme)
        if wanted in self.available_themes:
            self.theme = wanted
        else:
            faults.append(f"There is no theme {wanted!r}. Choose another with Ctrl+P.")
            self.theme = DEFAULT_THEME if DEFAULT_THEME in self.available_themes else "textual-dark"
        return faults

    def _save_theme(self, theme: Theme) -> None:
        if theme.name == self._kept_theme:
            return
        self._kept_theme = theme.name
        self.run_worker(self._save_setting("theme", theme.name), group="save")

    async def _save_setting(self, key: str, value: str) -> None:
        with telling(self):
            await asyncio.to_thread(self._services.save_setting, key, value)

    def _warm_up(self) -> None:
        try:
            self._services.warm_up(self._pass_news, self._pass_loading)
        except ChatMemError as error:
            tell(self, str(error))
        except Exception:
            logger.exception("warming up failed")
            tell(self, UNEXPECTED)

    def _pass_news(self, news: ConsolidationNews) -> None:
        self.post_message(NewsArrived(news))

    def _pass_loading(self, what: str) -> None:
        self.post_message(LoadingChanged(what))
