"""The record of one page, as JSON holds it: its fields, what they mean, and their JSON schema."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.record.fields import VERSION, MadeBy, Record, table_values
    from chaffinch.record.json_schema import schema
else:
    __getattr__ = exporter(
        __name__,
        {
            "MadeBy": "chaffinch.record.fields",
            "Record": "chaffinch.record.fields",
            "VERSION": "chaffinch.record.fields",
            "schema": "chaffinch.record.json_schema",
            "table_values": "chaffinch.record.fields",
        },
    )

__all__ = ["VERSION", "MadeBy", "Record", "schema", "table_values"]
