"""Prints data and structures of the service, as clients of SDMX for Python read them.

readsdmx.py CLIENT ADDRESS FLOW...   CLIENT is sdmx1, pysdmx, pysdmx_ml3, pysdmx_csv or pysdmx_csv2, ADDRESS that of /sdmx.

For each flow a line of JSON: the dimensions, the codes of each in the structure with their names, and
the rows: the codes in the order of the dimensions, the period, the value and the attributes of ATTRIBUTES.
"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")
ATTRIBUTES = ["OBS_STATUS", "OBS_FLAG", "CONF_STATUS", "OBS_COMMENT", "UNIT_MEASURE", "UNIT_MULT"]


def sdmx1(address, flow):
    import sdmx

    sdmx.add_source({"id": "ALMANAC", "name": "Almanac", "url": address + "/2.1"}, override=True)
    client = sdmx.Client("ALMANAC")
    structure = next(iter(client.dataflow(flow).structure.values()))
    lists = {d.id: d.local_representation.enumerated for d in structure.dimensions.components if d.id != "TIME_PERIOD"}
    attributes = present(lists)
    rows = []
    # With a key that is a dict, sdmx1 reads the data by the structure, and finds the attributes of series.
    # Clients of HTTP read a key without any code, such as "..", as the folder above.
    shortest = min(lists, key=lambda d: len(lists[d].items))
    key = {shortest: list(lists[shortest].items)}
    for series, observations in client.data(flow, key=key, dsd=structure).data[0].series.items():
        key = [str(series.values[d].value) for d in lists]
        for o in observations:
            of = {id: a.value for id, a in {**series.attrib, **o.attached_attribute}.items()}
            rows.append(key + [str(o.dimension.values["TIME_PERIOD"].value), number(o.value)] + [of.get(a) for a in attributes])
    return {d: {c.id: list(c.name.localizations.values()) for c in lists[d].items.values()} for d in lists}, rows


def pysdmx(address, flow, format="structurespecificdata"):
    from pysdmx.io import get_datasets

    data = get_datasets(f"{address}/2.1/data/{flow}?format={format}", f"{address}/2.1/dataflow/all/{flow}?references=all")[0]
    components = data.structure.components
    codes = {d.id: {c.id: [c.name] for c in components[d.id].local_codes} for d in components.dimensions if d.id != "TIME_PERIOD"}
    table = data.data.astype(object).where(data.data.notna(), None)
    for attribute in present(codes):
        if attribute not in table:
            table[attribute] = None
    rows = []
    for *key, value, status, flag, confidentiality, comment, unit, multiplier in table[[*codes, "TIME_PERIOD", "OBS_VALUE", *present(codes)]].itertuples(index=False):
        rows.append([*map(str, key), number(value), status, flag, confidentiality, comment, unit, None if multiplier is None else str(multiplier)])
    return codes, rows


def pysdmx_ml3(address, flow):
    return pysdmx(address, flow, "structurespecificdata3")


def pysdmx_csv(address, flow):
    return pysdmx(address, flow, "csvdata1")


def pysdmx_csv2(address, flow):
    return pysdmx(address, flow, "csvdata")


def present(dimensions):
    """Returns the IDs of the attributes, which have a number if a dimension has theirs."""
    return [a + "_2" if a in dimensions else a for a in ATTRIBUTES]


def number(value):
    """Returns a value, None if it is missing."""
    value = float("nan" if value is None else value)
    return None if value != value else value


for flow in sys.argv[3:]:
    codes, rows = globals()[sys.argv[1]](sys.argv[2], flow)
    print(json.dumps({"dimensions": list(codes), "codes": codes, "rows": rows}))
