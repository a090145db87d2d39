"""Markdown, as one widget."""

from dataclasses import dataclass

from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget


class MarkdownText(Widget):
    """Shows Markdown; it is laid out once for each width."""

    @dataclass
    class LinkFollowed(Message):
        """The person clicked a link."""

        href: str

    def __init__(self, source: str = "") -> None:
        super().__init__()
        self.source = source
        self._laid_out = (0, Content())
        self.display = bool(source)

    def update(self, source: str) -> None:
        """Show other Markdown."""
        self.source = source
        self._laid_out = (0, Content())
        self.display = bool(source)
        self.refresh(layout=True)

    def render(self) -> Content:
        """Draw it as wide as there is room."""
        return self._at(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Count its lines."""
        return self._at(width).plain.count("\n") + 1

    def action_link(self, href: str) -> None:
        """Pass a click on."""
        self.post_message(self.LinkFollowed(href))

    def _at(self, width: int) -> Content:
        if self._laid_out[0] != width:
            from chatmem.ui.flat_markdown import flattened  # its parser costs 20 ms, which the first paint does without

            self._laid_out = (width, flattened(self.source, width))
        return self._laid_out[1]
