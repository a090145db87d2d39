"""Large pastes: shown as one line, sent in full."""

from chatmem.ui.wording import counted, size

LARGE_CHARACTERS = 8_000
LARGE_LINES = 100
"""Above this a paste is shown as one line: wrapping and drawing a megabyte would hold up typing."""


class Pastes:
    """Keeps large pastes aside, under the lines that stand for them."""

    def __init__(self) -> None:
        self._by_label: dict[str, str] = {}

    def shown(self, text: str) -> str:
        """What to show of a text: itself, or the line that stands for it from now on."""
        lines = text.count("\n") + 1
        if len(text) <= LARGE_CHARACTERS and lines <= LARGE_LINES:
            return text
        label = f"[pasted {len(self._by_label) + 1}: {counted(lines, 'line')}, {size(len(text))}]"
        self._by_label[label] = text
        return label

    def in_full(self, shown: str) -> str:
        """What is shown, with large pastes in full."""
        for label, paste in self._by_label.items():
            shown = shown.replace(label, paste)
        return shown

    def clear(self) -> None:
        """Forget them."""
        self._by_label.clear()
