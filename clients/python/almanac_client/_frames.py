"""Makes frames of pandas or polars of what the service sends."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

_DATES = ["period_start", "period_end"]


# A text that a spreadsheet would take for a formula has an apostrophe before it in data.csv. So has
# one that begins with apostrophes before such a character, so that removing one gives the original.
_ESCAPED = r"^'('*[-=+@\t\r\n＝＋－＠])"


def is_escaped(file: bytes) -> bool:
    """Reports whether cells of data.csv may have the apostrophe: whether any begins with one."""
    return re.search(rb"[\n,\"]'", file) is not None


def reader(frame: str) -> Callable[..., Any]:
    """Returns what makes a frame of CSV. With escaped=True it removes the apostrophes of data.csv."""
    readers = {"pandas": _pandas, "polars": _polars}
    if frame not in readers:
        raise ValueError(f"frame must be pandas or polars, not {frame!r}")
    return readers[frame]


def rows(part: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the observations of a part of /api/data, by column."""
    meta = part["meta"]
    licence = meta.get("licence", {})
    about = {
        "dataset": f"{meta['source']}:{meta['dataset_code']}",
        "version": meta["version"],
        "source": meta["source_name"],
        "licence": licence.get("name") or licence.get("url") or licence.get("stated_at", ""),
    }
    for block in part["data"]:
        key = block["series_key"]
        series = {"transform": block.get("transform", "")}
        for name in [name for name in key if name.endswith("_code")]:
            dim = name.removesuffix("_code")
            series[dim], series[f"{dim}_label"] = key[name], key[f"{dim}_value"]
        for row in block["rows"]:
            flags, notes = row.get("flags", {}), row.get("notes", {})
            when = {name: row.get(name, "") for name in ("period", "period_label", *_DATES, "unit")}
            for area in [area for area in block["countries"] if area in {*row["values"], *flags, *notes}]:
                codes = block["country_codes"].get(area, {})
                code = codes.get("code", area)
                yield {
                    **about,
                    **series,
                    **when,
                    "country": code,
                    "country_label": area,
                    "geo_iso3": codes.get("iso3", ""),
                    "geo_iso": codes.get("iso", "" if code == "_Z" else code),  # _Z: the dataset has no areas
                    "value": row["values"].get(area, ""),
                    "status": " ".join(flags.get(area, [])),
                    "note": "; ".join(notes.get(area, [])),
                }


def csv_of(observations: Iterable[Mapping[str, Any]]) -> bytes:
    """Returns rows as data.csv has them. A column is there if a row has it."""
    listed = list(observations)
    dims = sorted({name for row in listed for name in row if name.startswith("dim")})
    optional = [name for name in ("period_label", "transform") if any(row[name] for row in listed)]
    names = ["dataset", *dims, "country", "country_label", "geo_iso3", "geo_iso", "period", *_DATES, "value", "unit", "status", "note"]
    text = io.StringIO()
    writer = csv.DictWriter(text, [*names, *optional, "version", "source", "licence"], "", "ignore")
    writer.writeheader()
    writer.writerows(listed)
    return text.getvalue().encode()


def _pandas(text: bytes, *, escaped: bool = False) -> pandas.DataFrame:
    import pandas

    frame = pandas.read_csv(io.BytesIO(text), dtype=str, keep_default_na=False)  # NA is Namibia
    if escaped:
        frame.columns = frame.columns.str.replace(_ESCAPED, r"\1", regex=True)
        frame = frame.apply(lambda texts: texts.str.replace(_ESCAPED, r"\1", regex=True))
    frame["value"] = frame["value"].replace("", "nan").astype("float64")  # exact in all versions
    for name in _DATES:
        days = frame[name].replace("", "NaT").to_numpy(dtype=object)
        frame[name] = days.astype("datetime64[us]")  # also before 1677, where nanoseconds end
    return frame


def _polars(text: bytes, *, escaped: bool = False) -> polars.DataFrame:
    import polars

    frame = polars.read_csv(text, infer_schema=False).fill_null("")
    if escaped:
        frame = frame.rename(lambda name: re.sub(_ESCAPED, r"\1", name))
        frame = frame.with_columns(polars.all().str.replace(_ESCAPED, "$1"))
    return frame.with_columns(
        polars.col("value").replace("", None).cast(polars.Float64), polars.col(_DATES).str.to_date("%Y-%m-%d")
    )
