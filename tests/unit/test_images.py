"""Pictures as they are shown to models."""

from io import BytesIO
from pathlib import Path

import PIL.Image
import pytest

from chatmem.adapters.system.images import LONGEST_SIDE, read_image
from chatmem.domain.errors import UsageError


def saved(
    folder: Path, name: str, size: tuple[int, int] = (8, 6), mode: str = "RGB", exif: PIL.Image.Exif | None = None
) -> Path:
    file = folder / name
    PIL.Image.effect_noise(size, 40).convert(mode).save(file, exif=exif or PIL.Image.Exif())
    return file


def size_of(content: bytes) -> tuple[int, int]:
    with PIL.Image.open(BytesIO(content)) as picture:
        return picture.size


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("a.png", "image/png"), ("a.jpg", "image/jpeg"), ("a.gif", "image/gif"), ("a.webp", "image/webp")],
)
def test_a_picture_that_fits_is_taken_as_it_is(tmp_path: Path, name: str, media_type: str) -> None:
    file = saved(tmp_path, name)

    image = read_image(file)

    assert (image.name, image.media_type, image.content) == (name, media_type, file.read_bytes())


@pytest.mark.parametrize(
    ("name", "mode", "media_type"),
    [
        ("a.png", "RGBA", "image/png"),
        ("a.png", "L", "image/png"),
        ("a.gif", "P", "image/png"),
        ("a.jpg", "RGB", "image/jpeg"),
        ("a.jpg", "CMYK", "image/jpeg"),
    ],
)
def test_a_large_picture_is_scaled_down(tmp_path: Path, name: str, mode: str, media_type: str) -> None:
    image = read_image(saved(tmp_path, name, (3200, 100), mode))

    assert (image.media_type, size_of(image.content)) == (media_type, (LONGEST_SIDE, 49))


def test_a_photo_that_lies_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    on_its_side = PIL.Image.Exif()
    on_its_side[0x0112] = 6
    image = read_image(saved(tmp_path, "a.jpg", (3200, 100), exif=on_its_side))

    assert size_of(image.content) == (49, LONGEST_SIDE)


def test_a_picture_of_too_many_bytes_becomes_a_photo(tmp_path: Path) -> None:
    file = saved(tmp_path, "a.png", (1500, 1500), "L")
    noisy = PIL.Image.merge("RGBA", [PIL.Image.effect_noise((1500, 1500), 90) for _ in range(4)])
    noisy.save(file)

    image = read_image(file)

    assert image.media_type == "image/jpeg"
    assert len(image.content) < 3_750_000


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\nrubbish", b"BM" + bytes(60)])
def test_what_is_no_picture_is_refused_by_its_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.png"
    file.write_bytes(content)

    with pytest.raises(UsageError, match=r"notes\.png is no picture"):
        read_image(file)


def test_a_picture_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    file = saved(tmp_path, "a.jpg", (600, 600))
    file.write_bytes(file.read_bytes()[:900])

    with pytest.raises(UsageError, match=r"a\.jpg is no picture"):
        read_image(file)


@pytest.mark.parametrize("name", ["missing.png", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="can't be read"):
        read_image(tmp_path / name)


def test_a_picture_with_far_too_many_pixels_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "huge.png"
    PIL.Image.new("1", (12_000, 12_000)).save(file)

    with pytest.raises(UsageError, match="smaller"):
        read_image(file)
