"""Prints tables of the service, as pandas, polars or DuckDB read them.

tables.py CLIENT ADDRESS...   CLIENT is the name of a function below.

For each address: a line with the names of the columns, a line for each row, both as JSON,
and an empty line.
"""

import json
import sys
from collections import defaultdict


def pandas_csv(address):
    import pandas

    return arrow_of_pandas(pandas.read_csv(
        address, keep_default_na=False, na_values={"value": [""]}, dtype=defaultdict(lambda: str, value="float64")))


def pandas_parquet(address):
    import pandas

    return arrow_of_pandas(pandas.read_parquet(downloaded(address)))


def pandas_excel(address):
    import pandas

    return arrow_of_pandas(pandas.read_excel(
        address, sheet_name=0, keep_default_na=False, na_values={"value": [""]},
        dtype=defaultdict(lambda: str, value="float64")))


def polars_csv(address):
    import polars

    file = downloaded(address)
    header = polars.read_csv(file, n_rows=0).columns
    return polars.read_csv(file, schema_overrides={
        name: polars.Float64 if name == "value" else polars.String for name in header}).to_arrow()


def polars_parquet(address):
    import polars

    return polars.read_parquet(downloaded(address)).to_arrow()


def duckdb_csv(address):
    import duckdb

    columns = duckdb.read_csv(downloaded(address), all_varchar=True)
    return columns.select("* REPLACE (CAST(value AS DOUBLE) AS value)").to_arrow_table()


def duckdb_parquet(address):
    import duckdb

    return duckdb.read_parquet(downloaded(address)).to_arrow_table()


def arrow_file(address):
    import pyarrow

    with open(downloaded(address), "rb") as file:
        return pyarrow.ipc.open_stream(file).read_all()


def arrow_of_pandas(frame):
    import pyarrow

    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def downloaded(address):
    """Saves a file where the client reads no addresses of HTTP by itself."""
    import tempfile
    import urllib.request

    file = tempfile.NamedTemporaryFile(dir=folder.name, delete=False)
    with file, urllib.request.urlopen(address) as response:
        file.write(response.read())
    return file.name


def show(table):
    print(json.dumps(table.column_names))
    columns = [column.to_pylist() for column in table.columns]
    for row in zip(*columns):
        print(json.dumps(row, default=str).replace("NaN", "null") if any(v != v for v in row) else json.dumps(row, default=str))
    print()


if __name__ == "__main__":
    import tempfile

    folder = tempfile.TemporaryDirectory()
    client = globals()[sys.argv[1]]
    for address in sys.argv[2:]:
        show(client(address))
    folder.cleanup()
