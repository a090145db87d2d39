"""The keys of the selected turn, in a line."""

from textual.content import Content
from textual.widgets import Static

from chatmem.ui.widgets.turn_actions import ACTIONS
from chatmem.ui.widgets.turns import TurnBox

BACK = ("Esc", "back")


class TurnKeys(Static):
    """Stands in the footer's place while a turn is selected."""

    def show(self, box: TurnBox) -> None:
        """Tell what can be asked of a turn."""
        keys = [
            (action.shown_key, action.label.format(place=f"{box.place.number}/{box.place.of}"))
            for action in ACTIONS
            if action.label and action.applies(box)
        ]
        words = [_key(*key) for key in (*keys, BACK)]
        line = Content("  ").join(words)
        self.update(line if line.cell_length <= self.screen.size.width - 2 else Content(" ").join(words))


def _key(key: str, label: str) -> Content:
    return Content.assemble((key, "bold $footer-key-foreground"), (f" {label}", "$footer-foreground"))
