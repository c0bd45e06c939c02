"""Prints data and structures of the service, as clients of SDMX for Python read them.

readsdmx.py CLIENT ADDRESS FLOW...   CLIENT is sdmx1, pysdmx, pysdmx_csv or pysdmx_csv2, ADDRESS that of /sdmx.

For each flow a line of JSON: the dimensions, how many codes each has in the structure, and the
rows: the codes in the order of the dimensions, the period, the value and the status.
"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")


def sdmx1(address, flow):
    import sdmx

    sdmx.add_source({"id": "ALMANAC", "name": "Almanac", "url": address + "/2.1"}, override=True)
    client = sdmx.Client("ALMANAC")
    structure = next(iter(client.dataflow(flow).structure.values()))
    lists = {d.id: d.local_representation.enumerated for d in structure.dimensions.components if d.id != "TIME_PERIOD"}
    dimensions = list(lists)
    rows = []
    for series, observations in client.data(flow, dsd=structure).data[0].series.items():
        for o in observations:
            key = {k.id: k.value for k in o.key.values.values()} if hasattr(o.key, "values") else {}
            status = o.attached_attribute.get("OBS_STATUS")
            rows.append([str(key[d]) for d in dimensions] + [str(key["TIME_PERIOD"]), number(o.value), status.value if status else ""])
    return dimensions, {d: len(lists[d].items) for d in dimensions}, rows


def pysdmx(address, flow, format="structurespecificdata"):
    from pysdmx.io import get_datasets

    data = get_datasets(f"{address}/2.1/data/{flow}?format={format}", f"{address}/2.1/dataflow/all/{flow}?references=all")[0]
    dimensions = [d.id for d in data.structure.components.dimensions if d.id != "TIME_PERIOD"]
    codes = {d: len(data.structure.components[d].local_codes) for d in dimensions}
    status = data.data["OBS_STATUS"] if "OBS_STATUS" in data.data else [""] * len(data.data)
    status = [mark if isinstance(mark, str) else "" for mark in status]
    rows = [[*key, number(value), mark] for key, value, mark in zip(
        data.data[dimensions + ["TIME_PERIOD"]].astype(str).itertuples(index=False), data.data["OBS_VALUE"], status)]
    return dimensions, codes, rows


def pysdmx_csv(address, flow):
    return pysdmx(address, flow, "csvdata1")


def pysdmx_csv2(address, flow):
    return pysdmx(address, flow, "csvdata")


def number(value):
    """Returns a value, None if it is missing."""
    value = float(value)
    return None if value != value else value


for flow in sys.argv[3:]:
    dimensions, codes, rows = globals()[sys.argv[1]](sys.argv[2], flow)
    print(json.dumps({"dimensions": dimensions, "codes": codes, "rows": [[None if x != x else x for x in row] for row in rows]}))
