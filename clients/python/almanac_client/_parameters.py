"""Writes the parameters of a request."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

_MOMENTS = {"as_of", "updated_since", "from", "to"}


def query(parameters: Mapping[str, Any]) -> str:
    return urllib.parse.urlencode([(name, text) for name, value in parameters.items() for text in _texts(name, value)])


def _texts(name: str, value: Any) -> list[str]:
    """Returns the values of a parameter as an address has them."""
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, (str, int)):
        return [str(value)]
    if isinstance(value, datetime) and name in _MOMENTS:
        return [value.astimezone().isoformat()]  # a time without a zone is local
    if isinstance(value, date):
        return [(value.date() if isinstance(value, datetime) else value).isoformat()]
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return _texts(name, value.item())  # a number of numpy
    if hasattr(value, "freqstr") and hasattr(value, "start_time"):
        return [_period(value)]
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a text, a whole number, a boolean, a date or a sequence of these, not {value!r}")
    values = list(value)
    if not values:
        raise ValueError(f"{name} is an empty list, which selects nothing; leave the parameter out to select everything")
    return [text for each in values for text in _texts(name, each)]


def _period(period: Any) -> str:
    """Returns a pandas.Period as the service reads it: 2024, 2024-Q1, 2024-01, 2024-W05 or a day."""
    match period.freqstr.split("-")[0]:
        case "Q" | "QE":
            return f"{period.year}-Q{period.quarter}"
        case "A" | "Y" | "YE":
            return str(period.year)
        case "M" | "ME":
            return f"{period.year}-{period.month:02}"
        case "W":
            return "{}-W{:02}".format(*period.end_time.isocalendar()[:2])
    return period.start_time.date().isoformat()
