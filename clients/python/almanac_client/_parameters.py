"""Writes the parameters of a request."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

_MOMENTS = {"as_of", "updated_since", "from", "to"}


def merged(filters: Mapping[str, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the filters of a mapping and those of keywords as one. A filter is in one of them."""
    if filters is not None and not isinstance(filters, Mapping):
        raise TypeError(f'the filters are a mapping, such as {{"country": "DE"}}, or keywords, not {filters!r}')
    for name in filters or {}:
        if name in more:
            raise TypeError(f"{name} is in the mapping and a keyword; give it once")
    return {**(filters or {}), **more}


def query(parameters: Mapping[str, Any]) -> str:
    return urllib.parse.urlencode([(name, text) for name, value in parameters.items() for text in _texts(name, value)])


def _texts(name: str, value: Any) -> list[str]:
    """Returns the values of a parameter as an address has them."""
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, (str, int)):
        return [str(value)]
    if isinstance(value, datetime) and name in _MOMENTS:
        if hasattr(value, "to_pydatetime"):  # of pandas, whose astimezone needs a zone
            value = value.to_pydatetime(warn=False)
        return [value.astimezone().isoformat()]  # a time without a zone is local
    if isinstance(value, date):
        return [(value.date() if isinstance(value, datetime) else value).isoformat()]
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return _texts(name, value.item())  # a number of numpy
    if hasattr(value, "freqstr") and hasattr(value, "start_time") and not isinstance(value, Iterable):
        return [_period(value)]
    if isinstance(value, Mapping):  # an option of charts, such as seriesColors
        return [json.dumps(value)]
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a text, a whole number, a boolean, a date or a sequence of these, not {value!r}")
    values = list(value)
    if any(isinstance(each, Mapping) for each in values):
        return [json.dumps(values)]
    if not values:
        raise ValueError(f"{name} is an empty list, which selects nothing; leave the parameter out to select everything")
    return [text for each in values for text in _texts(name, each)]


def _period(period: Any) -> str:
    """Returns a pandas.Period as the service reads it: 2024, 2024-S1, 2024-Q1, 2024-01, 2024-W05 or a day.

    The days decide, whatever the frequency is called: 2Q and 6M may be a half-year, and a quarter of a
    year that ends in March is one of the calendar.
    """
    first, after = period.start_time, period.end_time.ceil("D")
    if first == first.normalize() and after - period.end_time < timedelta(seconds=1):
        months = 12 * (after.year - first.year) + after.month - first.month
        part = {1: "-{:02}", 3: "-Q{}", 6: "-S{}", 12: ""}.get(months)
        if part is not None and first.day == after.day == 1 and (first.month - 1) % months == 0:
            return f"{first.year}" + part.format((first.month - 1) // months + 1)
        if (after - first).days == 7 and first.weekday() == 0:
            return "{}-W{:02}".format(*first.isocalendar()[:2])
        if (after - first).days == 1:
            return first.date().isoformat()
    raise ValueError(
        f"{period!r} is no period of the service: that is a year, half-year, quarter or month of the calendar, a week from Monday to Sunday, or a day"
    )
