"""Finding secrets in what people write and paste."""

from typing import Protocol

from chatmem.domain.policy import Secret


class SecretDetector(Protocol):
    """Finds credentials and numbers that nobody should keep. Blocks for a few milliseconds; asks nobody."""

    def find(self, text: str) -> list[Secret]:
        """The secrets of a text, in order, without overlaps."""
        ...
