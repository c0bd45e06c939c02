"""Prints tables of the service, as pandas, polars or DuckDB read them.

tables.py CLIENT ADDRESS...   CLIENT is the name of a function below.

For each address: a line with the names of the columns, a line for each row, both as JSON,
and an empty line.
"""

import json
import pathlib
import sys
from collections import defaultdict
from functools import cache


def pandas_csv(address):
    import pandas

    return arrow_of_pandas(pandas.read_csv(
        address, keep_default_na=False, na_values={"value": [""]}, dtype=defaultdict(lambda: str, value="float64")))


def pandas_parquet(address):
    import pandas

    return arrow_of_pandas(pandas.read_parquet(address))


def pandas_excel(address):
    import pandas

    return arrow_of_pandas(pandas.read_excel(
        address, sheet_name=0, keep_default_na=False, na_values={"value": [""]},
        dtype=defaultdict(lambda: str, value="float64")))


def polars_csv(address):
    import polars

    frame = polars.read_csv(address, infer_schema=False)
    return frame.with_columns(polars.col("value").cast(polars.Float64)).to_arrow()


def polars_scan_csv(address):
    import polars

    file = polars.scan_csv(address, infer_schema=False)
    return file.with_columns(polars.col("value").cast(polars.Float64)).collect().to_arrow()


def polars_parquet(address):
    import polars

    return polars.read_parquet(address).to_arrow()


def polars_scan_parquet(address):
    import polars

    return polars.scan_parquet(address).collect().to_arrow()


def duckdb_csv(address):
    columns = duckdb_over_http().read_csv(address, all_varchar=True)
    return columns.select("* REPLACE (CAST(value AS DOUBLE) AS value)").to_arrow_table()


def duckdb_parquet(address):
    return duckdb_over_http().read_parquet(address).to_arrow_table()


@cache
def duckdb_over_http():
    """Connects with the extension httpfs, which the package of this name has in its folder.

    DuckDB checks the signature of the extension.
    """
    import duckdb
    import duckdb_extension_httpfs

    connection = duckdb.connect(config={"extension_directory": folder.name})
    file = next(pathlib.Path(duckdb_extension_httpfs.__file__).parent.rglob("httpfs.duckdb_extension"))
    connection.install_extension(str(file))
    connection.load_extension("httpfs")
    return connection


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
