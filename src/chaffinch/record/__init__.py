"""The record of one page, as JSON holds it: its fields, what they mean, and their JSON schema."""

from chaffinch.record.fields import VERSION, MadeBy, Record, table_values
from chaffinch.record.json_schema import schema

__all__ = ["VERSION", "MadeBy", "Record", "schema", "table_values"]
