"""Conversations that other programs exported."""

from chatmem.adapters.exports.reader import read_export

__all__ = ["read_export"]
