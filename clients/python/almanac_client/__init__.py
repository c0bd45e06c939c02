"""Reads an Almanac service: official statistics as data frames of pandas or polars.

>>> from almanac_client import Almanac
>>> almanac = Almanac("https://almanac.example.org", key="alm_…")
>>> almanac.data("eurostat:une_rt_a", country=["DE", "FR"], last_n=5)

Responses are kept on disk by their ETag: what has not changed is not sent again and does not
count against the daily limit. What the service remarks on a request, such as an area that the
dataset does not have, is a warning of the class AlmanacNotice that names the dataset, and in ``Almanac.notices``.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, overload

from ._cache import Cache, Kept
from ._frames import csv_of, is_escaped, reader, rows
from ._notices import dataset_of, named, notices_of, unquoted
from ._parameters import merged, query

if TYPE_CHECKING:
    from typing import NotRequired  # from Python 3.11 on

    import pandas
    import polars

__all__ = [
    "Almanac",
    "AlmanacError",
    "AlmanacNotice",
    "Availability",
    "Dataset",
    "Hit",
    "Latest",
    "Revision",
    "Size",
    "Version",
]

Value: TypeAlias = "str | int | bool | date | Sequence[str]"
Filters: TypeAlias = "Mapping[str, Value]"
Picture: TypeAlias = Literal["svg", "png", "jpeg"]


class AlmanacError(Exception):
    """A request without the answer that was asked for: an error, with the message of the service,
    or no answer of the service.

    ``status`` is 0 if there was no whole answer: the address is wrong, the service is not there,
    the time is up, the connection was cut. ``retry_after`` is the number of seconds to wait after
    429 and 503, if the service says it.
    """

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(f"{status}: {message}" if status else message)
        self.status, self.message, self.retry_after = status, message, retry_after


class AlmanacNotice(UserWarning):
    """A remark of the service on a request that it has answered."""


@dataclass(frozen=True)
class Dataset:
    """A dataset of the list. ``more`` has the members that the parameter ``fields`` adds."""

    id: int
    name: str
    last_update: str
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        """The id, which names the dataset in all methods."""
        return str(self.id)


@dataclass(frozen=True)
class Hit:
    """A dataset that the search found. ``id`` is None if the service does not have it yet."""

    source: str
    code: str
    name: str
    id: int | None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        """The source and code, which name the dataset in all methods."""
        return f"{self.source}:{self.code}"


@dataclass(frozen=True)
class Latest:
    """The latest values of one series, by area.

    ``period`` is the latest of all areas, ``periods`` the period of each: with
    ``latest_mode="area"`` they may differ. ``units`` has the unit of each area's value, empty if the
    source states none, ``flags`` those of the values that have any.
    """

    period: str
    values: dict[str, float]
    dimensions: dict[str, str]
    dataset: dict[str, Any]
    periods: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    flags: dict[str, list[str]] = field(default_factory=dict)


class Size(TypedDict):
    """How large the frame of data() is: its ``rows``, one for each observation, and ``bytes``, those of the
    file that it is made of. ``cost`` is the number of requests that reading it counts as."""

    series: int
    rows: int
    observations: int
    bytes: int
    bytes_exact: bool
    cost: int


class Version(TypedDict):
    """A version of a dataset, and how many observations differ from the version before."""

    version: str
    imported: str
    last_update: str
    series: int
    observations: int
    added: int
    revised: int
    removed: int
    changed: NotRequired[list[str]]
    digest: str
    data: str


class Revision(TypedDict):
    """An observation that differs between two versions. A value that is not there is None.

    ``changed`` says what differs of a revised one, ``old_unit`` is there if the unit does.
    """

    kind: Literal["added", "revised", "removed"]
    changed: NotRequired[list[str]]
    series_key: dict[str, str]
    country: str
    country_code: str
    period: str
    unit: NotRequired[str]
    old_unit: NotRequired[str]
    old_value: float | None
    new_value: float | None
    old_flags: list[str]
    new_flags: list[str]


class Availability(TypedDict):
    """What a selection has, and which values each dimension and the geography still offer."""

    selection: dict[str, Any]
    dimensions: list[dict[str, Any]]
    geography: list[dict[str, Any]]


# What names a dataset: its id, its source and code, or what the list and the search return.
Reference: TypeAlias = "int | str | Dataset | Hit"


class Almanac:
    """A service at an address, which begins with http:// or https://.

    ``key`` is sent as X-API-Key. ``cache`` is a folder for responses; None keeps none.
    ``language`` is the language of labels and names, such as "de"; without it they are in
    English or in the language of the office. ``notices`` are the remarks of the service on the
    last request.
    """

    notices: Sequence[str] = ()

    def __init__(
        self,
        address: str,
        *,
        key: str | None = None,
        cache: str | os.PathLike[str] | None = "~/.cache/almanac-client",
        language: str | None = None,
        timeout: float = 60,
    ) -> None:
        if not address.startswith(("http://", "https://")):
            raise AlmanacError(0, f"the address {address!r} does not begin with http:// or https://")
        self._address = address.rstrip("/")
        self._key, self._timeout, self._language = _stripped(key), timeout, language
        self._cache = Cache(cache)

    # What there is.

    def search(self, question: str, *, limit: int = 20, **filters: Value) -> list[Hit]:
        """Returns the datasets that answer a question best: words, a code, a place."""
        found = self._json("/api/search", {"q": question, "limit": limit, **filters})
        return [
            Hit(hit.pop("source"), hit.pop("dataset_code"), hit.pop("dataset_name", ""), hit.pop("id", None), hit)
            for hit in found["data"]
        ]

    def datasets(self, **filters: Value) -> Iterator[Dataset]:
        """Yields all datasets that the filters of /api/datasets select, page by page."""
        if "page" in filters:
            raise TypeError("datasets() has no page: it yields the datasets of all pages")
        for entry in self._pages("/api/datasets", filters):
            yield Dataset(entry.pop("id"), entry.pop("dataset_name"), entry.pop("last_update"), entry)

    def meta(self, dataset: Reference, **options: Value) -> dict[str, Any]:
        """Returns the metadata of a dataset: its id, or its source and code. The options here and
        below are version, as_of and lang."""
        return self._json(_path(dataset, "meta"), options)

    def dimensions(self, dataset: Reference, **options: Value) -> list[dict[str, Any]]:
        """Returns the dimensions of a dataset with their codes and labels, without the geography."""
        return self._json(_path(dataset, "dimensions"), options)["dimensions"]

    def geography(self, dataset: Reference, **options: Value) -> list[dict[str, str]]:
        """Returns the areas of a dataset, for the parameter country: code, label, and iso if there is one."""
        return self._json(_path(dataset, "dimensions"), options)["geography"]

    def availability(self, dataset: Reference, filters: Filters | None = None, **more: Value) -> Availability:
        """Returns which values still give data beside the filters, with numbers of series and observations."""
        return self._json(_path(dataset, "availability"), merged(filters, more))

    def size(self, dataset: Reference, filters: Filters | None = None, **more: Value) -> Size:
        """Returns how large the frame is that data() makes of a selection, without reading it."""
        parameters = merged(filters, more)
        _check(parameters, _NOT_OF_DATA)
        return self._json(_path(dataset, "data.csv"), {**parameters, "dry_run": True})["size"]

    def versions(self, dataset: Reference) -> list[Version]:
        """Returns the versions of a dataset, the newest first."""
        return list(self._pages(_path(dataset, "versions"), {}))

    def revisions(
        self, dataset: Reference, old: Value | None = None, new: Value | None = None, **filters: Value
    ) -> Iterator[Revision]:
        """Yields what was added, revised and removed between two versions or days: by default
        between the current version and the one before. Filters are kind and those of the data."""
        ends = {name: value for name, value in (("from", old), ("to", new)) if value is not None}
        return self._pages(_path(dataset, "revisions"), {**filters, **ends})

    # Numbers.

    @overload
    def data(
        self, dataset: Reference, filters: Filters | None = ..., *, frame: Literal["pandas"] = ..., **more: Value
    ) -> pandas.DataFrame: ...

    @overload
    def data(
        self, dataset: Reference, filters: Filters | None = ..., *, frame: Literal["polars"], **more: Value
    ) -> polars.DataFrame: ...

    def data(
        self, dataset: Reference, filters: Filters | None = None, *, frame: str = "pandas", **more: Value
    ) -> pandas.DataFrame | polars.DataFrame:
        """Returns a part of a dataset, one observation a row.

        The filters are the parameters of the data endpoint, by keyword or, if their names have
        a dot, in a mapping: ``data("eurostat:une_rt_a", {"not.dim4": "T"}, country="DE")``.
        Codes and labels are texts, as the office wrote them; value is a number, NaN in pandas
        and null in polars if it is missing; period_start and period_end are dates.
        """
        read = reader(frame)
        parameters = merged(filters, more)
        _check(parameters, _NOT_OF_DATA)
        file = self._read(_path(dataset, "data.csv"), parameters)
        return read(file, escaped=is_escaped(file))

    @overload
    def several(
        self, selections: Sequence[tuple[Reference, Filters]], *, frame: Literal["pandas"] = ...
    ) -> pandas.DataFrame: ...

    @overload
    def several(self, selections: Sequence[tuple[Reference, Filters]], *, frame: Literal["polars"]) -> polars.DataFrame: ...

    def several(
        self, selections: Sequence[tuple[Reference, Filters]], *, frame: str = "pandas"
    ) -> pandas.DataFrame | polars.DataFrame:
        """Returns parts of up to 20 datasets as one frame, by one request that counts as one for each.

        As datasets have other dimensions, the columns are dim1 to dim8 with dim1_label to
        dim8_label, and country with country_label; the others are those of data().
        """
        read = reader(frame)
        for selection in selections:
            if not isinstance(selection, tuple) or len(selection) != 2:
                raise TypeError(f"each selection is a dataset and its filters, such as (1, {{}}), not {selection!r}")
        parts = [self._part(dataset, filters) for dataset, filters in selections]
        found = self._json("/api/data", {"s": parts})["data"]
        self._notify([text for (dataset, _), part in zip(selections, found) for text in notices_of(part, _reference(dataset))])
        return read(csv_of(row for part in found for row in rows(part)))

    def _part(self, dataset: Reference, filters: Filters) -> str:
        """Returns a selection as the parameter s has it."""
        _check(filters, {**_NOT_OF_DATA, "labels": "codes and labels are always there"})
        options = {"codes": True, "flags": True, "iso_periods": True}
        return f"{urllib.parse.quote(_reference(dataset), safe=':')}:{query({**self._localised(filters), **options})}"

    def latest(self, dataset: Reference, filters: Filters | None = None, **more: Value) -> Latest:
        """Returns the latest values of one series of a dataset: that of the filters, else its
        default series."""
        found = self._json(_path(dataset, "latest"), merged(filters, more))
        last = found["latest_period"]
        period, periods, units = last.get("period", ""), last.get("periods", {}), last.get("units", {})
        values = {area: float(value) for area, value in last.get("countries", {}).items()}
        return Latest(
            period,
            values,
            last.get("dimensions", {}),
            found["dataset"],
            {area: periods.get(area, period) for area in values},
            {area: units.get(area, last.get("unit", "")) for area in values},
            last.get("flags", {}),
        )

    def chart(self, dataset: Reference, type: str = "line", *, format: Picture = "svg", **options: Value) -> bytes:
        """Returns a picture: the filters of the data and the options of charts are keywords."""
        return self._read(_path(dataset, f"chart.{format}"), {"type": type, **options})

    # Requests.

    def _json(self, path: str, parameters: Mapping[str, Value]) -> Any:
        body, notices = self._fetch(path, parameters)
        try:
            found = json.loads(body)
        except ValueError:
            raise AlmanacError(200, f"{self._address} has sent something other than JSON; is it the address of an Almanac?") from None
        self._notify([*(named(dataset_of(path), text) for text in notices), *notices_of(found, dataset_of(path))])
        return found

    def _pages(self, path: str, parameters: Mapping[str, Value]) -> Iterator[Any]:
        page = 0
        while True:
            found = self._json(path, {"limit": 1000, **parameters, "page": page})
            yield from found["data"]
            if not found["pagination"]["hasMore"]:
                return
            page += 1

    def _notify(self, notices: Sequence[str]) -> None:
        """Keeps the notices of a request, and warns of them where this package was called."""
        self.notices = tuple(notices)
        level, frame = 1, sys._getframe()
        while frame.f_back and frame.f_code.co_filename == __file__:
            level, frame = level + 1, frame.f_back
        for text in notices:
            warnings.warn(text, AlmanacNotice, stacklevel=level)

    def _read(self, path: str, parameters: Mapping[str, Value]) -> bytes:
        body, notices = self._fetch(path, parameters)
        self._notify([named(dataset_of(path), text) for text in notices])
        return body

    def _localised(self, parameters: Mapping[str, Value]) -> Mapping[str, Value]:
        return {"lang": self._language, **parameters} if self._language else parameters

    def _fetch(self, path: str, parameters: Mapping[str, Value]) -> tuple[bytes, Sequence[str]]:
        """Returns the body of a response, and the notices of its header."""
        text = query(parameters if path == "/api/data" else self._localised(parameters))
        address = self._address + path + ("?" + text if text else "")
        headers = {"User-Agent": "almanac-client/1.0"}
        if self._key:
            headers["X-API-Key"] = self._key
        kept = self._cache.read(f"{self._key} {address}")
        if kept:
            headers["If-None-Match"] = kept.tag
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=self._timeout) as response:
                body = response.read()  # raises IncompleteRead if the connection was cut
                if not body:  # it was cut before the length
                    raise AlmanacError(0, f"the answer of {self._address} has nothing in it; was the connection cut?")
                if response.headers.get_content_type() == "text/html":  # from something before the service
                    raise AlmanacError(response.status, f"{self._address} has sent a web page; is it the address of an Almanac?")
                answered = response.headers
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304 and kept:
                    return kept.body, kept.notices
                raise _error(error) from None
        except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
            reason = getattr(error, "reason", error)
            raise AlmanacError(0, f"no answer of {self._address}: {reason or type(error).__name__}") from error
        notices = [unquoted(text) for text in answered.get_all("X-Notice", [])]
        self._cache.write(f"{self._key} {address}", Kept(answered.get("ETag", ""), notices, body))
        return body, notices


def _stripped(key: str | None) -> str | None:
    """Returns a key without the white space around it, such as the end of the line of a file."""
    stripped = (key or "").strip()
    if not (stripped.isascii() and stripped.isprintable()):
        raise ValueError("the key has a line break or another character that no key has")  # which is not shown
    return stripped or None


def _reference(dataset: Reference) -> str:
    return dataset.reference if isinstance(dataset, (Dataset, Hit)) else str(dataset)


def _path(dataset: Reference, last: str) -> str:
    return f"/api/datasets/{urllib.parse.quote(_reference(dataset), safe=':')}/{last}"


def _error(error: urllib.error.HTTPError) -> AlmanacError:
    try:
        message = json.loads(error.read())["statusMessage"]
    except (ValueError, KeyError, TypeError):
        message = error.reason  # not from the service, but from something before it
    wait = error.headers.get("Retry-After", "")
    return AlmanacError(error.code, str(message), int(wait) if wait.isdigit() else None)


# The parameters of data.csv that change its layout, and dry_run, whose answer is no table.
_NOT_OF_DATA = {
    "wide": "a frame has one observation a row; use pivot of the frame",
    "sep": "it is about the text of the file, not about a frame",
    "decimal": "it is about the text of the file; values of a frame are numbers",
    "bom": "it is about the text of the file, not about a frame",
    "dry_run": "size() has the size of a selection",
}


def _check(parameters: Filters, refused: Mapping[str, str]) -> None:
    for name, remedy in refused.items():
        if name in parameters:
            raise ValueError(f"data() does not take {name}: {remedy}")
