"""Prints tables of datasets in JSON-stat, as pyjstat reads them: jsonstat.py ADDRESS...

In the form of tables.py: the columns are the dimensions and value.
"""

import json
import sys

from pyjstat import pyjstat

for address in sys.argv[1:]:
    dataset = pyjstat.Dataset.read(address)
    frame = dataset.write("dataframe", naming="id")
    print(json.dumps(list(frame.columns)))
    for row in frame.itertuples(index=False):
        print(json.dumps([None if cell != cell else cell for cell in row]))
    print()
