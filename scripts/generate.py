"""Writes docs/schema/*.json and the Python and TypeScript types from the core's own structs.

    python scripts/generate.py           compares; exit 1 when a file is out of date
    UPDATE=1 python scripts/generate.py  rewrites

The schemas come from `cargo run -p counterfoil --example schema --features schema`, which lists
every field as required, in its declared order. What a host may leave out is stated here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import typescript

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "docs" / "schema"
TYPES = ROOT / "python" / "src" / "counterfoil" / "types.py"
TYPESCRIPT = ROOT / "npm" / "src" / "types.ts"

# The record: what a host must give. All else may be left out.
NEEDED = {"Turn": ["reply"], "Session": ["turns"], "Call": ["tool"], "Piece": ["text"], "Detected": ["name"]}
# The results, and the classes in methods.py whose methods they get.
MIXINS = {"Verification": "VerificationMethods", "Claim": "ClaimMethods", "Report": "ReportMethods"}

Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """Asks the core."""
    command = ["cargo", "run", "--quiet", "-p", "counterfoil", "--example", "schema", "--features", "schema"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found: dict[str, Schema] = json.loads(text)
    return found


def settle(title: str, schema: Schema) -> Schema:
    """Puts the fields in their declared order and loosens what a host may leave out."""
    if "properties" in schema:
        order = schema.get("required", [])
        properties = schema["properties"]
        schema["properties"] = {name: properties[name] for name in [*order, *sorted(set(properties) - set(order))]}
        schema["required"] = NEEDED.get(title, order)
    for name, part in schema.get("$defs", {}).items():
        settle(name, part)
    head = ["$schema", "title", "description", "type", "properties", "required"]
    ordered = {key: schema[key] for key in head if key in schema}
    ordered.update({key: value for key, value in schema.items() if key not in ordered})
    schema.clear()
    schema.update(ordered)
    return schema


def collect(all_schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Every named type once."""
    types: dict[str, Schema] = {}
    for schema in all_schemas.values():
        types.update(schema.get("$defs", {}))
        types[schema["title"]] = schema
    return types


def members(schema: Schema) -> list[str] | None:
    """The values of an enum of texts."""
    if "enum" in schema:
        return list(schema["enum"])
    parts = schema.get("oneOf", [])
    values: list[str] = []
    for part in parts:
        values += [part["const"]] if "const" in part else part.get("enum", [])
    return values or None


def optional(schema: Schema) -> tuple[Schema, bool]:
    """A schema without its null, and whether it had one."""
    if isinstance(schema.get("type"), list) and "null" in schema["type"]:
        rest = [kind for kind in schema["type"] if kind != "null"]
        return {**schema, "type": rest[0] if len(rest) == 1 else rest}, True
    parts = schema.get("anyOf", [])
    rest = [part for part in parts if part != {"type": "null"}]
    if parts and len(rest) < len(parts):
        return (rest[0] if len(rest) == 1 else {"anyOf": rest}), True
    return schema, False


def hint(schema: Schema | bool, record: bool) -> str:
    """The Python type of a schema; lists are tuples in results, which never change."""
    if isinstance(schema, bool):
        return "object"
    plain, null = optional(schema)
    if null:
        return hint(plain, record) + " | None"
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " | ".join(hint(part, record) for part in schema["anyOf"])
    match schema.get("type"):
        case "array":
            item = hint(schema["items"], record)
            return f"list[{item}]" if record else f"tuple[{item}, ...]"
        case "object":
            return f"Mapping[str, {hint(schema['additionalProperties'], record)}]"
        case kind:
            return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}.get(str(kind), "object")


def read(schema: Schema, value: str, results: set[str]) -> str:
    """The expression that reads a field of a result from JSON."""
    plain, null = optional(schema)
    if plain.get("type") == "array":
        item = read(plain["items"], "item", results)
        inner = f"tuple({value})" if item == "item" else f"tuple({item} for item in {value})"
    elif (name := str(plain.get("$ref", "")).rsplit("/", 1)[-1]) in results:
        inner = f"{name}.from_dict({value})"
    elif isinstance(values := plain.get("additionalProperties"), dict) and "$ref" in values:
        inner = f"{{key: {read(values, 'item', results)} for key, item in {value}.items()}}"
    else:
        return value
    return f"None if {value} is None else {inner}" if null else inner


def document(text: str, indent: str) -> str:
    """A docstring of any length."""
    text = re.sub(r"\[`([^`]+)`\]", r"`\1`", " ".join(text.split())).replace("\\", "\\\\")
    if len(indent) + len(text) + 6 <= 120:
        return f'{indent}"""{text}"""\n'
    words, lines, line = text.split(" "), [], ""
    for word in words:
        if line and len(indent) + len(line) + len(word) + 1 > 116:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    return f'{indent}"""' + f"\n{indent}".join(lines) + f'\n{indent}"""\n'


def fields(schema: Schema, names: list[str], record: bool) -> str:
    text = ""
    for name in names:
        part = schema["properties"][name]
        text += f"    {name}: {hint(part, record)}\n"
        if not isinstance(part, bool) and part.get("description"):
            text += document(part["description"], "    ")
    return text


def typed_dict(name: str, schema: Schema) -> str:
    """A part of the record. Python 3.10 has no `Required`, so that the needed fields stand in a base class."""
    needed = schema["required"]
    rest = [field for field in schema["properties"] if field not in needed]
    text = f"class _{name}(TypedDict):\n{fields(schema, needed, True)}\n\n"
    text += f"class {name}(_{name}, total=False):\n{document(schema['description'], '    ')}\n"
    return text + fields(schema, rest, True)


def result(name: str, schema: Schema, results: set[str]) -> str:
    """A part of a result."""
    names = list(schema["properties"])
    text = f"@dataclass(frozen=True, slots=True)\nclass {name}({MIXINS.get(name, 'Result')}):\n"
    text += document(schema["description"], "    ") + "\n" + fields(schema, names, False)
    text += f"\n    @classmethod\n    def from_dict(cls, data: Mapping[str, Any]) -> {name}:\n"
    text += '        """Reads it back from `to_dict` or from JSON."""\n        return cls(\n'
    for field in names:
        expression = read(schema["properties"][field], f'data["{field}"]', results)
        text += f"            {field}={expression},\n"
    return text + "        )\n"


def sequence(types: dict[str, Schema], names: list[str]) -> list[str]:
    """Names with those first that others use."""
    done: list[str] = []
    while len(done) < len(names):
        for name in names:
            used = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(types[name].get("properties", {}))))
            if name not in done and used & set(names) <= set(done):
                done.append(name)
    return done


def module(all_schemas: dict[str, Schema]) -> str:
    """The text of types.py."""
    types = collect(all_schemas)
    record = sequence(types, [n for n in NEEDED if n in types])
    classes = [n for n in types if "properties" in types[n] and n not in NEEDED]
    classes = sequence(types, sorted(classes))
    enums = {name: values for name, schema in sorted(types.items()) if (values := members(schema))}
    unions = sorted(name for name, schema in types.items() if "anyOf" in schema)
    text = '"""The record and the results as Python types.\n\n'
    text += "Generated from the core's structs by scripts/generate.py; change those, then run it with UPDATE=1.\n"
    text += '"""\n\nfrom __future__ import annotations\n\nfrom collections.abc import Mapping\n'
    text += "from dataclasses import dataclass\nfrom typing import Any, Literal, TypedDict\n\n"
    text += f"from counterfoil.methods import {', '.join(sorted(['Result', *MIXINS.values()]))}\n\n"
    names = sorted([*record, *classes, *enums, *unions])
    text += "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    for name, values in enums.items():
        text += f"\n{name} = Literal[" + ", ".join(f'"{value}"' for value in values) + "]\n"
        text += document(types[name]["description"], "")
    for name in record:
        for union in unions:
            needs = json.dumps(types[name].get("properties", {}))
            if f'/{union}"' in needs and f"\n{union} =" not in text:
                # A union is made at run time, where `str | list[…]` works from Python 3.10 on.
                text += f"\n\n{union} = {hint(types[union], True)}\n" + document(types[union]["description"], "")
        text += "\n\n" + typed_dict(name, types[name])
    for name in classes:
        text += "\n\n" + result(name, types[name], set(classes))
    return text


def main() -> int:
    """Compares or rewrites."""
    found = {name: settle(schema["title"], schema) for name, schema in schemas().items()}
    files = {
        SCHEMAS / f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in found.items()
    }
    files[TYPES] = module(found)
    files[TYPESCRIPT] = typescript.module(collect(found))
    stale = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    if os.environ.get("UPDATE"):
        for path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], "utf-8")
    for path in stale:
        print(f"{'wrote' if os.environ.get('UPDATE') else 'out of date'}: {path.relative_to(ROOT)}")
    if stale and not os.environ.get("UPDATE"):
        print("run: UPDATE=1 python scripts/generate.py")
        return 1
    print(f"{len(files)} generated files are current")
    return 0


if __name__ == "__main__":
    sys.exit(main())
