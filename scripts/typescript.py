"""The TypeScript types of the record and the results; scripts/generate.py writes them."""

from __future__ import annotations

import json
import re
from typing import Any

HEAD = """/**
 * The record and the results as TypeScript types.
 *
 * Generated from the core's structs by scripts/generate.py; change those, then run it with UPDATE=1.
 */
"""

Schema = dict[str, Any]


def module(types: dict[str, Schema]) -> str:
    """All types by name."""
    return HEAD + "".join(declaration(name, types[name]) for name in sorted(types))


def declaration(name: str, schema: Schema) -> str:
    """An interface for an object, an alias for everything else."""
    text = "\n" + document(schema.get("description", ""), "")
    if "properties" not in schema:
        return f"{text}export type {name} = {hint(schema)};\n"
    text += f"export interface {name} {{\n"
    for field, part in schema["properties"].items():
        mark = "" if field in schema["required"] else "?"
        if isinstance(part, dict):
            text += document(part.get("description", ""), "  ")
        text += f"  {field}{mark}: {hint(part)}{' | undefined' if mark else ''};\n"
    return text + "}\n"


def hint(schema: Schema | bool) -> str:
    """The type of a schema."""
    if isinstance(schema, bool):
        return "unknown"
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return json.dumps(schema["const"])
    for key in ("enum", "oneOf", "anyOf"):
        if key in schema:
            return " | ".join(hint({"const": part} if key == "enum" else part) for part in schema[key])
    kinds = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
    return " | ".join(one(str(kind), schema) for kind in kinds)


def one(kind: str, schema: Schema) -> str:
    """The type of a schema of one kind."""
    if kind == "array":
        item = hint(schema["items"])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if kind == "object":
        return f"Record<string, {hint(schema['additionalProperties'])}>"
    known = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
    return known.get(kind, "unknown")


def document(text: str, indent: str) -> str:
    """A doc comment of any length."""
    text = re.sub(r"\[`([^`]+)`\]", r"`\1`", " ".join(text.split()))
    if not text:
        return ""
    if len(indent) + len(text) + 7 <= 120:
        return f"{indent}/** {text} */\n"
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(indent) + len(line) + len(word) + 4 > 116:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"
