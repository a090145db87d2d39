"""Erasing memories, with proof."""
