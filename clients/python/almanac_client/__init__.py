"""Reads an Almanac service: official statistics as data frames of pandas or polars.

>>> from almanac_client import Almanac
>>> almanac = Almanac("https://almanac.example.org", key="alm_…")
>>> almanac.data("eurostat:une_rt_a", country=["DE", "FR"], last_n=5)

Responses are kept on disk by their ETag: what has not changed is not sent again and does not
count against the daily limit.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Almanac", "AlmanacError", "Dataset", "Hit", "Latest"]

Value: TypeAlias = "str | int | bool | date | Sequence[str]"
Filters: TypeAlias = "Mapping[str, Value]"
Picture: TypeAlias = Literal["svg", "png", "jpeg"]


class AlmanacError(Exception):
    """An answer that is no success, with the message of the service.

    ``retry_after`` is the number of seconds to wait after 429 and 503, if the service says it.
    """

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(f"{status}: {message}")
        self.status, self.message, self.retry_after = status, message, retry_after


@dataclass(frozen=True)
class Dataset:
    """A dataset of the list. ``more`` has the members that the parameter ``fields`` adds."""

    id: int
    name: str
    last_update: str
    more: dict[str, Any] = field(default_factory=dict)


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
    """The latest values of one series: by area, in the unit of the series.

    ``period`` is the latest of all areas, ``periods`` the period of each: with
    ``latest_mode="area"`` they may differ.
    """

    period: str
    values: dict[str, float]
    dimensions: dict[str, str]
    dataset: dict[str, Any]
    periods: dict[str, str] = field(default_factory=dict)


class Almanac:
    """A service at an address.

    ``key`` is sent as X-API-Key. ``cache`` is a folder for responses; None keeps none.
    ``language`` is the language of labels and names, such as "de"; without it they are in
    English or in the language of the office.
    """

    def __init__(
        self,
        address: str,
        *,
        key: str | None = None,
        cache: str | os.PathLike[str] | None = "~/.cache/almanac-client",
        language: str | None = None,
        timeout: float = 60,
    ) -> None:
        self._address = address.rstrip("/")
        self._key, self._timeout, self._language = key, timeout, language
        self._cache = None if cache is None else Path(cache).expanduser()

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
        page = 0
        while True:
            found = self._json("/api/datasets", {"limit": 1000, **filters, "page": page})
            for entry in found["data"]:
                yield Dataset(entry.pop("id"), entry.pop("dataset_name"), entry.pop("last_update"), entry)
            if not found["pagination"]["hasMore"]:
                return
            page += 1

    def meta(self, dataset: int | str) -> dict[str, Any]:
        """Returns the metadata of a dataset: its id, or its source and code."""
        return self._json(_path(dataset, "meta"), {})

    def dimensions(self, dataset: int | str) -> list[dict[str, Any]]:
        """Returns the dimensions of a dataset with their codes and labels."""
        return self._json(_path(dataset, "dimensions"), {})["dimensions"]

    # Numbers.

    @overload
    def data(
        self, dataset: int | str, filters: Filters | None = ..., *, frame: Literal["pandas"] = ..., **more: Value
    ) -> pandas.DataFrame: ...

    @overload
    def data(
        self, dataset: int | str, filters: Filters | None = ..., *, frame: Literal["polars"], **more: Value
    ) -> polars.DataFrame: ...

    def data(
        self, dataset: int | str, filters: Filters | None = None, *, frame: str = "pandas", **more: Value
    ) -> pandas.DataFrame | polars.DataFrame:
        """Returns a part of a dataset, one observation a row.

        The filters are the parameters of the data endpoint, by keyword or, if their names have
        a dot, in a mapping: ``data("eurostat:une_rt_a", {"not.dim4": "T"}, country="DE")``.
        Codes and labels are texts, as the office wrote them; value is a number, NaN in pandas
        and null in polars if it is missing; period_start and period_end are dates.
        """
        readers = {"pandas": _pandas, "polars": _polars}
        if frame not in readers:
            raise ValueError(f"frame must be pandas or polars, not {frame!r}")
        parameters = {**(filters or {}), **more}
        for name, remedy in _NOT_OF_DATA.items():
            if name in parameters:
                raise ValueError(f"data() does not take {name}: {remedy}")
        return readers[frame](self._read(_path(dataset, "data.csv"), parameters))

    def latest(self, dataset: int | str, filters: Filters | None = None, **more: Value) -> Latest:
        """Returns the latest values of one series of a dataset: that of the filters, else its
        default series."""
        found = self._json(_path(dataset, "latest"), {**(filters or {}), **more})
        last = found["latest_period"]
        period, periods = last.get("period", ""), last.get("periods", {})
        values = {area: float(value) for area, value in last.get("countries", {}).items()}
        return Latest(
            period,
            values,
            last.get("dimensions", {}),
            found["dataset"],
            {area: periods.get(area, period) for area in values},
        )

    def chart(self, dataset: int | str, type: str = "line", *, format: Picture = "svg", **options: Value) -> bytes:
        """Returns a picture: the filters of the data and the options of charts are keywords."""
        return self._read(_path(dataset, f"chart.{format}"), {"type": type, **options})

    # Requests.

    def _json(self, path: str, parameters: Mapping[str, Value]) -> Any:
        return json.loads(self._read(path, parameters))

    def _read(self, path: str, parameters: Mapping[str, Value]) -> bytes:
        if self._language and "lang" not in parameters:
            parameters = {**parameters, "lang": self._language}
        query = urllib.parse.urlencode([(name, text) for name, value in parameters.items() for text in _texts(value)])
        address = self._address + path + ("?" + query if query else "")
        headers = {"User-Agent": "almanac-client/1.0"}
        if self._key:
            headers["X-API-Key"] = self._key
        kept = self._kept(address)
        if kept:
            headers["If-None-Match"] = kept[0]
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=self._timeout) as response:
                body = response.read()  # raises IncompleteRead if the connection was cut
                self._keep(address, response.headers.get("ETag"), body)
                return body
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304 and kept:
                    return kept[1]
                raise _error(error) from None

    def _file(self, address: str) -> Path | None:
        if self._cache is None:
            return None
        return self._cache / hashlib.sha256(f"{self._key or ''} {address}".encode()).hexdigest()

    def _kept(self, address: str) -> tuple[str, bytes] | None:
        """Returns the ETag and the body of the last response of an address."""
        file = self._file(address)
        try:
            tag, _, body = file.read_bytes().partition(b"\n") if file else (b"", b"", b"")
        except OSError:
            return None
        return (tag.decode("ascii"), body) if tag else None

    def _keep(self, address: str, tag: str | None, body: bytes) -> None:
        file = self._file(address)
        if file is None or not tag:
            return
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Other processes see the old file or the new one.
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(tag.encode("ascii") + b"\n" + body)
        os.replace(new.name, file)


def _path(dataset: int | str, last: str) -> str:
    return f"/api/datasets/{urllib.parse.quote(str(dataset), safe=':')}/{last}"


def _texts(value: Value) -> list[str]:
    """Returns the values of a parameter as an address has them."""
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, (str, int)):
        return [str(value)]
    if isinstance(value, date):
        return [(value.date() if isinstance(value, datetime) else value).isoformat()]
    return [str(each) for each in value]


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
    "dry_run": "read /api/datasets/{id}/data?dry_run=true, which answers with sizes",
}

_DATES = ["period_start", "period_end"]


def _pandas(csv: bytes) -> pandas.DataFrame:
    import pandas

    frame = pandas.read_csv(io.BytesIO(csv), dtype=str, keep_default_na=False)  # NA is Namibia
    frame["value"] = frame["value"].replace("", "nan").astype("float64")  # exact in all versions
    for name in _DATES:
        frame[name] = pandas.to_datetime(frame[name], format="%Y-%m-%d")
    return frame


def _polars(csv: bytes) -> polars.DataFrame:
    import polars

    frame = polars.read_csv(csv, infer_schema=False).fill_null("")
    return frame.with_columns(
        polars.col("value").replace("", None).cast(polars.Float64), polars.col(_DATES).str.to_date("%Y-%m-%d")
    )
