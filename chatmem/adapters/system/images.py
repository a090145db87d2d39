"""Pictures, from files and from this machine's clipboard, in a form that models take."""

import warnings
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from chatmem.domain.errors import UsageError
from chatmem.domain.model import Image

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

LONGEST_SIDE = 1568
"""Pixels beyond which providers scale a picture down themselves, after charging for it."""

_MOST_BYTES = 3_750_000
"""Providers take 5 MB, and the encoding in which a picture is sent adds a third."""

_MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}


def read_image(path: Path) -> Image:
    """Read a picture; one that is larger than models look at is scaled down. Blocks.

    Raises:
        UsageError: If there is no such file, or it is no PNG, JPEG, GIF or WebP picture.
    """
    try:
        content = path.expanduser().read_bytes()
    except (OSError, RuntimeError, ValueError) as error:  # no such user's folder, a NUL
        raise UsageError(f"The picture {path} can't be read: {getattr(error, 'strerror', None) or error}.") from error
    return _image(path.name, content)


def clipboard_image() -> Image | None:
    """The picture on the clipboard; `None` where there is none, or no clipboard. Blocks."""
    from PIL import ImageGrab

    try:
        grabbed = ImageGrab.grabclipboard()
    except (OSError, NotImplementedError, ValueError):  # no program reads the clipboard, or there is no display
        return None
    if isinstance(grabbed, list):  # files that were copied
        files = [Path(name) for name in grabbed if isinstance(name, str)]
        return read_image(files[0]) if len(files) == 1 and files[0].suffix.lower() in _SUFFIXES else None
    return None if grabbed is None else _fitted("clipboard.png", grabbed, "PNG")


_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})


def _image(name: str, content: bytes) -> Image:
    import PIL.Image

    warnings.filterwarnings("error", category=PIL.Image.DecompressionBombWarning)  # else it is printed on the screen
    try:
        with PIL.Image.open(BytesIO(content), formats=tuple(_MEDIA_TYPES)) as picture:
            picture.load()
            if max(picture.size) > LONGEST_SIDE or len(content) > _MOST_BYTES:
                return _fitted(name, picture, picture.format or "PNG")
            return Image(name=name, media_type=_MEDIA_TYPES[picture.format or "PNG"], content=content)
    except (PIL.Image.DecompressionBombWarning, PIL.Image.DecompressionBombError) as error:
        raise UsageError(f"The picture {name} has too many pixels: make it smaller.") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise UsageError(f"{name} is no picture that models take: use a PNG, JPEG, GIF or WebP file.") from error


def _fitted(name: str, picture: "Picture", kind: str) -> Image:
    """A picture scaled down to what models look at; photos as JPEG, all else as PNG unless that is too large."""
    from PIL import ImageOps

    upright = ImageOps.exif_transpose(picture)
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    content = b"" if kind == "JPEG" else _encoded(upright, "PNG")
    if content and len(content) <= _MOST_BYTES:
        return Image(name=name, media_type="image/png", content=content)
    return Image(name=name, media_type="image/jpeg", content=_encoded(upright.convert("RGB"), "JPEG"))


def _encoded(picture: "Picture", kind: str) -> bytes:
    mode = "RGBA" if "A" in picture.getbands() or "transparency" in picture.info else "RGB"
    encoded = BytesIO()
    (picture if kind == "JPEG" else picture.convert(mode)).save(encoded, kind)
    return encoded.getvalue()
