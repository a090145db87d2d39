"""Erasing memories, with proof."""

from chatmem.forgetting.forgetting import Forgetting, Places, Preview

__all__ = ["Forgetting", "Places", "Preview"]
