"""Times and amounts as the screen words them."""

from datetime import datetime


def clock_time(moment: datetime) -> str:
    """The time of day where the person is, `14:05`."""
    return f"{moment.astimezone():%H:%M}"


def short_date(moment: datetime) -> str:
    """The date where the person is, `4 Mar 2026`."""
    local = moment.astimezone()
    return f"{local.day} {local:%b %Y}"


def amount(number: int) -> str:
    """A number in at most four characters or so, `812`, `1.2k`, `34k`."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 10_000 else f"{number // 1000}k"


def size(number: float) -> str:
    """Bytes, `98 MB`, `1.1 GB`."""
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def money(usd: float) -> str:
    """US dollars, `$0.31`, or `$0.0042` below a cent."""
    if usd >= 0.01:
        return f"${usd:,.2f}"
    return f"${usd:.4f}" if usd >= 0.0001 else "under $0.0001"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 turn`, `2 turns`, `2 memories`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
