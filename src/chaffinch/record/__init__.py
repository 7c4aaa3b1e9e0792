"""The record of one page, as JSON: its fields, their meaning, and their JSON schema."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.record.json_schema import schema
    from chaffinch.record.json_values import json_text, plain_values
    from chaffinch.record.page_record import VERSION, MadeBy, PageRecord, table_values
else:
    __getattr__ = exporter(
        __name__,
        {
            "MadeBy": "chaffinch.record.page_record",
            "PageRecord": "chaffinch.record.page_record",
            "VERSION": "chaffinch.record.page_record",
            "json_text": "chaffinch.record.json_values",
            "plain_values": "chaffinch.record.json_values",
            "schema": "chaffinch.record.json_schema",
            "table_values": "chaffinch.record.page_record",
        },
    )

__all__ = ["VERSION", "MadeBy", "PageRecord", "json_text", "plain_values", "schema", "table_values"]
