"""Checks that clients of SDMX for Python read the history of a dataflow with the structures of all its versions.

historysdmx.py ADDRESS AGENCY FLOW   ADDRESS is that of /sdmx. Prints what is wrong.
"""

import sys
import warnings

import sdmx
from pysdmx.io import get_datasets

warnings.filterwarnings("ignore")
address, agency, flow = sys.argv[1:]


def rows(dataset):
    """Returns the observations of a data set of pysdmx by key and time."""
    key = [d.id for d in dataset.structure.components.dimensions]
    return {tuple(row[key]): float(row["OBS_VALUE"]) for _, row in dataset.data.iterrows()}


def read(format, query, structures):
    return get_datasets(f"{address}/2.1/data/{flow}?format={format}{query}", address + structures, validate="/2.1/" in structures)


for structures in (f"/2.1/dataflow/{agency}/{flow}/all?references=all", f"/3.0/structure/dataflow/{agency}/{flow}/*?references=all"):
    for format in ("structurespecificdata", "structurespecificdata3", "genericdata"):
        applied = {}
        sets = read(format, "&includeHistory=true", structures)
        for dataset in sets:
            for key, value in rows(dataset).items():
                if dataset.action.value == "Delete":
                    del applied[key]
                else:
                    applied[key] = value
        if len({s.structure.version for s in sets}) < 3:
            print(f"{format}: {len(sets)} data sets of fewer versions than 3")
        current = rows(read(format, "", structures)[0])
        if applied != current:
            print(f"{format} with {structures}: {applied}, want {current}")

sdmx.add_source({"id": "ALMANAC", "name": "Almanac", "url": address + "/2.1"}, override=True)
client = sdmx.Client("ALMANAC")
versions = [s.version for s in client.dataflow(flow, version="all").structure.values()]
sets = [s.structured_by.version for s in client.data(flow, params={"includeHistory": True}).data]
if sorted(set(sets)) != sorted(versions) or len(versions) < 3:
    print(f"sdmx1 reads structures of {versions} and data of {sets}")
