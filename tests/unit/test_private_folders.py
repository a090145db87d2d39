"""Folders that are the person's own, and links that would lead out of them."""

import os
import stat
from pathlib import Path

import pytest

from chatmem.config.paths import make_private
from chatmem.domain.errors import RefusedError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions and links")


def test_a_folder_is_made_for_its_owner_alone_and_one_that_is_there_is_narrowed(tmp_path: Path) -> None:
    wide = tmp_path / "wide"
    wide.mkdir(mode=0o755)

    make_private(tmp_path / "new")
    make_private(wide)

    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "wide")] == [0o700, 0o700]


@pytest.mark.parametrize("where", ["link", "memories.lance/link", "memories.lance/turns.lance/data/link"])
def test_a_link_out_of_it_is_refused_however_deep_it_lies(tmp_path: Path, where: str) -> None:
    link = tmp_path / "profile" / where
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path)

    with pytest.raises(RefusedError, match="is a link out of the folder"):
        make_private(tmp_path / "profile")


def test_a_folder_that_is_itself_a_link_to_elsewhere_is_refused(tmp_path: Path) -> None:
    elsewhere, data = tmp_path / "elsewhere", tmp_path / "data"
    elsewhere.mkdir()
    data.mkdir()
    (data / "profile").symlink_to(elsewhere)

    with pytest.raises(RefusedError, match="is a link out of the folder"):
        make_private(data / "profile")


def test_a_link_within_it_is_let_be(tmp_path: Path) -> None:
    inner = tmp_path / "profile" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "profile" / "link").symlink_to(inner)

    make_private(tmp_path / "profile")
