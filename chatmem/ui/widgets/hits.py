"""What was found, in a line."""

from chatmem.domain.text import shortened

LEAD_SHARE = 3
"""The hit stands after at most a third of the line."""


def hit_line(text: str, wanted: str, length: int) -> str:
    """The line of a text that holds what was looked for, cut to `length` characters around it."""
    folded = wanted.casefold()
    line = next((line for line in text.splitlines() if folded in line.casefold()), text)
    line = " ".join(line.split())
    start = max(0, line.casefold().find(folded) - length // LEAD_SHARE)
    if len(line) <= length or start == 0:
        return shortened(line, length)
    start = min(start, len(line) - length + 1)
    return "…" + shortened(line[start:], length - 1)
