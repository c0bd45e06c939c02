"""Writes the notices of a response as sentences."""

from __future__ import annotations

import ast
import json
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any


def dataset_of(path: str) -> str:
    """Returns the dataset in a path; empty if it has none."""
    found = re.fullmatch(r"/api/datasets/([^/]+)/.*", path)
    return urllib.parse.unquote(found[1]) if found else ""


def named(dataset: int | str, notice: str) -> str:
    """Returns a notice that names its dataset."""
    return f"dataset {dataset}: {notice}" if dataset else notice


def notices_of(found: Mapping[str, Any], dataset: int | str) -> list[str]:
    """Returns the notices of a response in JSON."""
    return [named(dataset, _sentence(**notice)) for notice in found.get("notices", [])]


def _sentence(parameter: str, value: str, message: str, nearest: Sequence[str], **_: Any) -> str:
    """Returns a notice as the header X-Notice has it."""
    quoted = json.dumps(value[:80], ensure_ascii=False)
    if value and not message.startswith(quoted[:-1]):
        parameter = f"{parameter} {quoted}"
    text = f"{parameter}: {message}" if parameter else message
    return f"{text}; nearest: {', '.join(nearest)}" if nearest else text


def unquoted(text: str) -> str:
    """Returns the text of a header that is quoted as Go and Python do."""
    return str(ast.literal_eval(text)) if re.fullmatch(r'"(?:[^"\\]|\\.)*"', text) else text
