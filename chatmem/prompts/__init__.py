"""What models are told: one Markdown file a prompt, with `$name` placeholders."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file.

    Attributes:
        version: 12 hex digits of the file's BLAKE2 hash, kept in provenance.
    """

    text: str
    version: str

    def fill(self, **values: str) -> str:
        """Put values in the place of the placeholders; a missing one raises `KeyError`."""
        return Template(self.text).substitute(values)


@cache
def prompt(name: str) -> Prompt:
    """Read `NAME.md` of this folder."""
    text = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    return Prompt(text.strip(), hashlib.blake2b(text.encode(), digest_size=6).hexdigest())
