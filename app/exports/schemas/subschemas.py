"""What the schemas of the published JSON are put together from.

Source: JSON Schema, draft 2020-12.
"""

from collections.abc import Iterable
from typing import Any

Schema = dict[str, Any]

_MONTH = "[0-9]{4}-(0[1-9]|1[0-2])"
DAY = f"{_MONTH}-(0[1-9]|[12][0-9]|3[01])"

TEXT: Schema = {"type": "string", "minLength": 1}
ANY_TEXT: Schema = {"type": "string"}
DATE: Schema = {"type": "string", "pattern": f"^({_MONTH}|{DAY})$"}


def object_schema(required: Schema, **optional: Schema) -> Schema:
    """An object with these members and no others."""
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def array_schema(items: Schema, at_least: int = 1) -> Schema:
    """An array of such items; an empty one is left out of the published JSON."""
    return {"type": "array", "items": items, "minItems": at_least}


def enum_schema(values: Iterable[str]) -> Schema:
    """One of these texts."""
    return {"enum": [str(value) for value in values]}


def definition_schema(definition: str) -> Schema:
    """What the schema defines under this name."""
    return {"$ref": f"#/$defs/{definition}"}


def described_schema(description: str, schema: Schema) -> Schema:
    """A schema with a sentence that says what its value means."""
    return {"description": description, **schema}
