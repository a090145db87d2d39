"""The line of keys at the foot of a screen."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget


class KeyLine(Widget):
    """Shows the keys that do something now, as many as there is room for; a click on one presses it.

    One widget that draws a line. Textual's own footer makes a widget for each key, anew whenever one comes or goes: six
    layouts of the screen around each answer.

    Args:
        palette: Whether to show the key of the command palette at the right.
    """

    ALLOW_SELECT = False

    def __init__(self, *, palette: bool = True) -> None:
        super().__init__()
        self._palette = palette

    def on_mount(self) -> None:
        """Follow what can be pressed."""
        self.screen.bindings_updated_signal.subscribe(self, self._draw_anew)

    def render(self) -> Content:
        """Draw the keys, and that of the palette at the right where there is room."""
        right = self._palette_key()
        keys = [shown for _, shown in self._fitting(right)]
        left = Content(" " * self._gap(keys, right)).join(keys)
        room = self.content_size.width - left.cell_length - right.cell_length
        return left + Content(" " * room) + right if right and room > 0 else left

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked."""
        right = self._palette_key()
        fitting = self._fitting(right)
        gap = self._gap([shown for _, shown in fitting], right)
        start = 0
        for binding, shown in fitting:
            if start <= event.x < start + shown.cell_length:
                self.app.simulate_key(binding.key)
            start += shown.cell_length + gap

    def _fitting(self, right: Content) -> list[tuple[Binding, Content]]:
        """The keys from the first on that fit whole; the help tells all."""
        keys = [(binding, _shown(binding, self.app.get_key_display(binding))) for binding in self._keys()]
        ends = accumulate(shown.cell_length + 1 for _, shown in keys)
        return [key for key, end in zip(keys, ends, strict=True) if end - 1 <= self.content_size.width]

    def _gap(self, keys: Sequence[Content], right: Content) -> int:
        """Cells between two keys: two where there is room for all."""
        wanted = sum(shown.cell_length + 2 for shown in keys) + right.cell_length
        return 2 if wanted <= self.content_size.width else 1

    def _keys(self) -> Iterator[Binding]:
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            if active.binding.show and active.enabled and active.binding.action not in seen:
                seen.add(active.binding.action)
                yield active.binding

    def _palette_key(self) -> Content:
        active = self.screen.active_bindings.get(self.app.COMMAND_PALETTE_BINDING)
        if not self._palette or active is None:
            return Content()
        return _shown(active.binding, self.app.get_key_display(active.binding))

    def _draw_anew(self, screen: Screen[object]) -> None:
        if screen is self.screen:
            self.refresh()


def _shown(binding: Binding, key: str) -> Content:
    """A key and what it does: `Esc Back`, `^p Palette`."""
    named = key.capitalize() if len(key) > 1 else key
    does = binding.description[:1].upper() + binding.description[1:]
    return Content.assemble((named, "bold $footer-key-foreground"), " ", (does, "$footer-foreground"))
