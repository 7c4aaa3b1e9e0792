"""Entries of lists, each with its fields: found by repeated structure, or by rules of a site."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.records.entry import TYPED, Entry, EntryField
else:
    __getattr__ = exporter(
        __name__,
        {
            "TYPED": "chaffinch.records.entry",
            "Entry": "chaffinch.records.entry",
            "EntryField": "chaffinch.records.entry",
        },
    )

__all__ = ["TYPED", "Entry", "EntryField"]
