"""The system's clock."""

from datetime import UTC, datetime


class SystemClock:
    """Tells the time of the machine."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        return datetime.now(UTC)
