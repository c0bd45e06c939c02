"""Prints what the views of a store hold.

views.py VIEWS [QUERIES]

VIEWS is what almanac views --duckdb printed. For each dataset: a line with its id, the number of
its values, and of codes without a label, as a JSON array. QUERIES is a page of documentation:
for each block of SQL in it, a line with the number of rows it returns.
"""

import json
import re
import sys
from pathlib import Path

import duckdb
import duckdb_extension_httpfs

database = duckdb.connect()
# INSTALL httpfs, of views of files in an object store, finds it then.
extensions = Path(duckdb_extension_httpfs.__file__).parent / "extensions"
database.sql(f"INSTALL '{extensions / f'v{duckdb.__version__}' / 'httpfs.duckdb_extension'}'")
database.sql(open(sys.argv[1], encoding="utf-8").read())
if len(sys.argv) > 2:
    for query in re.findall(r"```sql\n(.*?)```", open(sys.argv[2], encoding="utf-8").read(), re.DOTALL):
        print(json.dumps(len(database.sql(query).fetchall())))
    sys.exit()
for id, source, code in database.sql("SELECT id, source, code FROM datasets ORDER BY id").fetchall():
    view = database.sql(f'FROM "{source}"."{code}"')
    labels = [f'count(*) FILTER ("{name}" IS NULL)' for name in view.columns if name.endswith("_label")]
    print(json.dumps([id, *view.aggregate(f"count(OBS_VALUE), {' + '.join(labels)}").fetchone()]))
