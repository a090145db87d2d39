"""Taking secrets out of what is said before it is kept or sent, and letting them through once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chatmem.domain.policy import Screened, Secret, redacted
from chatmem.domain.turn import Turn
from chatmem.ports.meter import Meter
from chatmem.ports.secret_detector import SecretDetector

_TELLING = 0.5
"""Of a secret at whose middle a reply has ended: the part that is too much to keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn of the user's as it is in the log, and the words that it was made of."""

    turn: Turn
    screened: Screened

    def spoken(self, turn: Turn) -> Turn:
        """The same turn as it was said, with its secrets; any other turn as it is."""
        return replace(turn, text=self.screened.said) if turn.id == self.turn.id else turn


class Screening:
    """Takes secrets out of texts. Blocks for a millisecond as a rule, a second for a megabyte."""

    def __init__(self, detector: SecretDetector, meter: Meter) -> None:
        self._detector = detector
        self._meter = meter

    def look(self, text: str) -> Screened:
        """A text without its secrets, which are not counted: for what is looked at again and again."""
        secrets = self._detector.find(text)
        return Screened(said=text, kept=redacted(text, secrets), secrets=tuple(secrets))

    def screened(self, text: str) -> Screened:
        """A text without its secrets, of which each is counted by its kind.

        Raises:
            StoreError: If they could not be counted.
        """
        screened = self.look(text)
        if screened.secrets:
            self._meter.count_blocked(screened.kinds)
        return screened

    def withheld(self, said: Said) -> "Withheld":
        """What keeps a turn's secrets, which a model was let see, out of the reply as it is kept."""
        return Withheld(self, said.screened)


class Withheld:
    """Takes the secrets that a model was let see out of what is kept of its reply."""

    def __init__(self, screening: Screening, screened: Screened) -> None:
        self._screening = screening
        places: Sequence[Secret] = sorted(screened.secrets, key=lambda one: one.start - one.end)
        self._notices = {screened.said[one.start : one.end]: f"[{one.kind} removed]" for one in places}

    def kept(self, text: str, *, arriving: bool) -> str:
        """A reply without the secrets, also where it spells them in another way that looks like one.

        Args:
            text: The reply as far as it has come.
            arriving: Whether more may come; then its end is left out if a secret could begin there.
        """
        for value, notice in self._notices.items():
            text = text.replace(value, notice)
        for value, notice in self._notices.items():
            least = 1 if arriving else max(1, int(len(value) * _TELLING))
            begun = next((n for n in range(len(value) - 1, least - 1, -1) if text.endswith(value[:n])), 0)
            if begun:
                text = text[:-begun] + notice
        return text if arriving else self._screening.look(text).kept
