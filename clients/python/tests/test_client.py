"""Tests the client with the service at $ALMANAC_URL, which has the sample datasets, and with that at
$ALMANAC_ODD_URL, which has the dataset of testdata/odd.csv."""

import contextlib
import datetime
import os
import socket
import tempfile
import threading
import unittest
import urllib.request
import warnings
from pathlib import Path

import numpy as np
import pandas

from almanac_client import Almanac, AlmanacError, AlmanacNotice, Dataset


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.almanac = Almanac(os.environ["ALMANAC_URL"], cache=self.folder.name)

    def test_datasets(self):
        found = list(self.almanac.datasets(fields="source,code"))
        self.assertEqual([d.more["source"] for d in found], ["gapminder", "bls"])
        self.assertIsInstance(found[0], Dataset)
        self.assertEqual([d.id for d in self.almanac.datasets(limit=1)], [1, 2])

    def test_search(self):
        hits = self.almanac.search("life expectancy")
        self.assertEqual(hits[0].source, "gapminder")
        self.assertEqual(self.almanac.meta(hits[0].reference)["id"], hits[0].id)
        self.assertTrue(self.almanac.dimensions(hits[0].reference)[0]["values"])

    def test_frames_are_equal(self):
        filters = {"dim1": ["Life expectancy", "Population"], "country": ["Germany", "JP"], "period_from": "1990"}
        pandas = self.almanac.data(1, filters)
        polars = self.almanac.data(1, filters, frame="polars")
        self.assertEqual(list(pandas.columns), polars.columns)
        self.assertEqual(len(pandas), len(polars))
        self.assertGreater(len(pandas), 10)
        self.assertEqual(pandas["value"].dtype, "float64")
        self.assertEqual([str(d.date()) for d in pandas["period_end"]], [str(d) for d in polars["period_end"]])
        for name in pandas.columns:
            if name not in ("period_start", "period_end"):
                self.assertEqual(list(pandas[name]), list(polars[name]), name)

    def test_texts_are_those_of_the_office(self):
        """Also those that look like formulas, to which data.csv adds an apostrophe."""
        odd = Almanac(os.environ["ALMANAC_ODD_URL"], cache=None)
        codes = ["-", "+18", "=1+1", "@x", "'=y", "'z", "NA"]
        labels = ["'-", "+18 years", '=HYPERLINK("http://example.org")', "-5 °C", "''=quoted", "'plain", "＝full width"]
        notes = ["", "-note", "=note", "@note, and more", "'=note", "'note", ""]
        for frame in ("pandas", "polars"):
            data = odd.data(1, frame=frame)
            self.assertEqual(list(data.columns)[1:3], ["=item", "=item_label"])
            self.assertEqual(list(data["=item"]), codes)
            self.assertEqual(list(data["=item_label"]), labels)
            self.assertEqual(list(data["note"]), notes)
            self.assertEqual(list(data["geo_iso"]), ["US-AL", "US-TX", "US-TX", "US-AL", "US-TX", "US-TX", "US-TX"])
            self.assertEqual(list(data["value"]), [-1.5, 2, 3, 4, 5, 6, 7])
            both = odd.several([(1, {})], frame=frame)
            self.assertEqual(list(both["geo_iso"]), list(data["geo_iso"]))
            self.assertEqual((list(both["dim1"]), list(both["dim1_label"]), list(both["note"])), (codes, labels, notes))
        for code in codes:
            self.assertEqual(list(odd.data(1, dim1=code)["=item"]), [code])

    def test_early_years(self):
        """Nanoseconds, the unit of pandas 2, begin in 1677."""
        from almanac_client._frames import reader

        for days in (["0001-01-01", ""], []):
            file = "\n".join(["period_start,period_end,value", *(f"{day},{day},1" for day in days)])
            frame = reader("pandas")(file.encode())
            self.assertEqual([str(frame[name].dtype) for name in ("period_start", "period_end")], ["datetime64[us]"] * 2)
            self.assertEqual([str(day)[:10] for day in frame["period_start"]], [day or "NaT" for day in days])

    def test_filters_with_a_dot(self):
        frame = self.almanac.data(1, {"not.country": "Germany"}, dim1="Population", country=["Germany", "Japan"])
        self.assertEqual(set(frame["geo_iso3"]), {"JPN"})

    def test_latest(self):
        latest = self.almanac.latest(1, dim1="Life expectancy", country="Japan")
        frame = self.almanac.data(1, dim1="Life expectancy", country="Japan", latest=True)
        self.assertEqual(latest.values, {"Japan": frame["value"][0]})
        self.assertEqual(latest.period, frame["period"][0])
        self.assertEqual(latest.periods, {"Japan": latest.period})
        self.assertEqual(latest.units, {"Japan": frame["unit"][0]})
        self.assertEqual(latest.flags, {})

    def test_latest_of_each_area(self):
        latest = self.almanac.latest(1, dim1="Life expectancy", latest_mode="area")
        frame = self.almanac.data(1, dim1="Life expectancy", last_n=1)
        frame = frame[frame["value"].notna()]
        self.assertEqual(latest.periods, dict(zip(frame["country_label"], frame["period"])))

    def test_dates(self):
        texts = self.almanac.data(1, dim1="Population", period_from="1990-01-01")
        for day in (datetime.date(1990, 1, 1), datetime.datetime(1990, 1, 1, 12)):
            self.assertTrue(texts.equals(self.almanac.data(1, dim1="Population", period_from=day)))

    def test_periods_of_pandas(self):
        from almanac_client._parameters import query

        for text, freq, want in [
            ("2024-05-01", "Q", "2024-Q2"),
            ("2024-05-01", "Y", "2024"),
            ("2024-05-01", "M", "2024-05"),
            ("2024-01-31", "W", "2024-W05"),
            ("2024-05-01", "D", "2024-05-01"),
            ("2024-01-01", "2Q", "2024-S1"),
            ("2024-07-01", "6M", "2024-S2"),
            ("2024-01-01", "12M", "2024"),
            ("2024-05-01", "Q-JAN", None),  # May to July
            ("2024-05-01", "Q-MAR", "2024-Q2"),
            ("2024-05-01", "Y-MAR", None),
            ("2024-04-01", "2Q", None),
            ("2024-05-01", "2D", None),
            ("2024-05-01", "h", None),
            ("2024-01-31", "W-SAT", None),
        ]:
            with self.subTest(freq=freq):
                period = pandas.Period(text, freq)
                if want:
                    self.assertEqual(query({"period": period}), f"period={want}")
                else:
                    self.assertRaisesRegex(ValueError, "is no period of the service", query, {"period": period})

    def test_layouts_are_refused(self):
        for name, value in {"wide": "area", "sep": "semicolon", "decimal": "comma", "bom": True, "dry_run": True}.items():
            with self.subTest(name), self.assertRaisesRegex(ValueError, f"data\\(\\) does not take {name}: "):
                self.almanac.data(1, {name: value})

    def test_empty_lists_are_refused(self):
        for read in (self.almanac.data, self.almanac.size, self.almanac.latest, self.almanac.chart):
            with self.subTest(read), self.assertRaisesRegex(ValueError, "country is an empty list"):
                read(1, country=[])
        with self.assertRaisesRegex(ValueError, "not.dim1 is an empty list"):
            self.almanac.several([(1, {"not.dim1": ()})])

    def test_numbers(self):
        texts = self.almanac.data(1, dim1="Population", country="JP", last_n=2)
        self.assertTrue(texts.equals(self.almanac.data(1, dim1="Population", country="JP", last_n=np.int64(2))))
        self.assertTrue(texts.equals(self.almanac.data(1, dim1="Population", country=np.array(["JP"]), last_n=2)))
        for value in (None, 2.5, np.float64(2.5)):
            with self.subTest(value), self.assertRaisesRegex(TypeError, "last_n must be"):
                self.almanac.data(1, last_n=value)

    def test_notices(self):
        selection = {"dim1": ["Population", "População"], "country": ["JP", "Atlantis"]}
        for frame in ("pandas", "polars", "pandas"):  # the last one from the cache
            with self.assertWarnsRegex(AlmanacNotice, "Atlantis") as caught:
                self.almanac.data(1, selection, frame=frame)
            self.assertEqual(caught.filename, __file__)
            self.assertEqual(len(self.almanac.notices), 2, self.almanac.notices)
            self.assertRegex(self.almanac.notices[0], '^dataset 1: dim1: "População" is not ')
        for read in (self.almanac.latest, self.almanac.availability, self.almanac.size):
            with self.assertWarnsRegex(AlmanacNotice, '^dataset gapminder:gapminder: country: "Atlantis" is not '):
                read("gapminder:gapminder", dim1="Population", country=["JP", "Atlantis"])
        with self.assertWarnsRegex(AlmanacNotice, "^dataset gapminder:gapminder: period .*: the dataset has no period") as caught:
            self.almanac.several([(1, {"country": "JP", "last_n": 1}), ("gapminder:gapminder", {"country": "JP", "period": "1800"})])
        self.assertEqual((caught.filename, len(self.almanac.notices)), (__file__, 1))
        for read in (self.almanac.data, self.almanac.size):  # the header of a file, and JSON
            with self.assertWarnsRegex(AlmanacNotice, '^dataset 1: country: "Germny" is not .*; nearest: Germany$'):
                read(1, country="Germny")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.almanac.data(1, country="JP")
        self.assertEqual(self.almanac.notices, ())

    def test_sizes_and_availability(self):
        filters = {"not.dim1": "Population"}
        frame = self.almanac.data(1, filters, country="JP")
        self.assertEqual(self.almanac.size(1, filters, country="JP")["rows"], len(frame))
        both = {"country": ["JP", "DE"], "dim1": "Population"}
        self.assertEqual(self.almanac.size(1, both)["rows"], len(self.almanac.data(1, both)))
        there = self.almanac.availability(1, filters, country="JP")
        self.assertEqual(there["selection"]["observations"], len(frame))
        self.assertEqual(set(frame["indicator"]) | {"pop"}, {v["code"] for v in there["dimensions"][0]["values"]} | {"pop"})
        self.assertIn({"code": "JP", "label": "Japan"}, self.almanac.geography(1))

    def test_versions(self):
        [version] = self.almanac.versions(1)
        self.assertEqual((self.almanac.versions(1), version["version"]), ([version], "1.0"))
        self.assertEqual(set(self.almanac.data(1, country="JP")["version"]), {"1.0"})
        self.assertEqual(list(self.almanac.revisions(1, kind="revised")), [])
        filters = {"like.dim1": "Pop*", "country": "JP", "first_n": 1}
        now = self.almanac.data(1, filters, as_of=datetime.datetime.now() + datetime.timedelta(minutes=1))
        self.assertTrue(now.equals(self.almanac.data(1, filters, version=version["version"])))
        with self.assertRaises(AlmanacError):
            self.almanac.data(1, filters, as_of=datetime.datetime(2001, 1, 1))
        imported = pandas.to_datetime(version["imported"])
        self.assertTrue(now.equals(self.almanac.data(1, filters, as_of=imported)))
        with self.assertRaises(AlmanacError):
            self.almanac.data(1, filters, as_of=pandas.Timestamp(2001, 1, 1))

    def test_several(self):
        filters = {"dim1": "Population", "country": "Japan", "last_n": 2}
        frame = self.almanac.several([(1, filters), ("gapminder:gapminder", {**filters, "transform": "index:2000"})])
        single = self.almanac.data(1, filters)
        for name in ("dataset", "geo_iso3", "geo_iso", "period", "period_end", "value", "unit", "status", "version", "licence"):
            self.assertEqual(list(frame[name][:2]), list(single[name]), name)
        self.assertEqual(list(frame["dim1"]), ["pop"] * 4)
        self.assertEqual(list(frame["transform"]), ["", "", "index:2000", "index:2000"])
        polars = self.almanac.several([(1, filters), (1, {**filters, "transform": "index:2000"})], frame="polars")
        self.assertEqual((polars.columns, list(polars["value"])), (list(frame.columns), list(frame["value"])))
        self.assertEqual(len(self.almanac.several([(1, {**filters, "period": "1800"})])), 0)

    def test_chart(self):
        self.assertIn(b"<svg", self.almanac.chart(1, country=["Germany", "Japan"], width=400, height=300)[:200])
        marked = self.almanac.chart(1, country="JP", dim1="Population", seriesColors={"Japan": "#aa3300"}, referenceLines={"1e8": "Goal"})
        self.assertIn(b"#aa3300", marked)
        self.assertIn(b"Goal", marked)
        self.assertEqual(self.almanac.chart(1, "bar", format="png", width=400, height=300)[:4], b"\x89PNG")

    def test_languages(self):
        german = Almanac(os.environ["ALMANAC_URL"], cache=None, language="de")
        self.assertEqual(set(german.data(1, country="JP", latest=True)["country_label"]), {"Japan"})

    def test_errors(self):
        with self.assertRaises(AlmanacError) as caught:
            self.almanac.data("nobody:nothing")
        self.assertEqual(caught.exception.status, 404)
        with self.assertRaisesRegex(AlmanacError, "400: .*contry"):
            self.almanac.data(1, contry="Germany")
        with self.assertRaises(ValueError):
            self.almanac.data(1, frame="numpy")
        for address in ("localhost:8080", "almanac.example.org", ""):
            with self.assertRaisesRegex(AlmanacError, "does not begin with http:// or https://"):
                Almanac(address)

    def test_wrong_arguments(self):
        for want, call in {
            "country is in the mapping and a keyword": lambda: self.almanac.data(1, {"country": "DE"}, country="FR"),
            "the filters are a mapping": lambda: self.almanac.data(1, [("country", "DE")]),
            "each selection is a dataset and its filters": lambda: self.almanac.several([1, 2]),
            "yields the datasets of all pages": lambda: list(self.almanac.datasets(page=1)),
        }.items():
            with self.subTest(want):
                self.assertRaisesRegex(TypeError, want, call)

    def test_keys(self):
        """A key of a file has the end of its line. A wrong one is not shown."""
        with self.assertRaisesRegex(AlmanacError, "^401: "):
            Almanac(os.environ["ALMANAC_URL"], key="alm_wrong\n", cache=None).meta(1)
        with self.assertRaisesRegex(ValueError, "^the key has a line break") as caught:
            Almanac(os.environ["ALMANAC_URL"], key="alm_secret\nalm_other")
        self.assertNotIn("secret", str(caught.exception))

    def test_results_name_datasets(self):
        [hit, *_], [dataset, *_] = self.almanac.search("life expectancy"), self.almanac.datasets()
        self.assertEqual(self.almanac.meta(hit), self.almanac.meta(dataset))
        self.assertEqual(len(self.almanac.several([(hit, {"country": "JP", "dim1": "Population", "last_n": 1})])), 1)

    def test_no_answer(self):
        """A stranger's answers: none, a page, no JSON, a part, an error with a date to wait for."""
        answers = {
            "nothing": (b"", "no answer of http://127.0.0.1:[0-9]+: "),
            "a page": (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html>", "200: .*a web page"),
            "no JSON": (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello", "200: .*other than JSON"),
            "half a header": (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", "has nothing in it"),
            "a part": (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", "no answer of .*IncompleteRead"),
            "an error": (b"HTTP/1.1 429 Too Many\r\nRetry-After: Mon, 30 Nov 2026 00:00:00 GMT\r\n\r\n<html>", "429: Too Many"),
            "a limit": (b'HTTP/1.1 429 Too Many\r\nRetry-After: 60\r\n\r\n{"statusMessage":"enough"}', "429: enough"),
        }
        for name, (answer, want) in answers.items():
            with self.subTest(name), self.stranger(answer) as address, self.assertRaisesRegex(AlmanacError, want) as caught:
                Almanac(address, cache=None).meta(1)
            self.assertEqual(caught.exception.retry_after, 60 if name == "a limit" else None)
        with self.assertRaisesRegex(AlmanacError, "refused") as caught:
            Almanac(address, cache=None).meta(1)
        self.assertEqual(caught.exception.status, 0)
        with self.stranger(None) as address, self.assertRaisesRegex(AlmanacError, "timed out"):
            Almanac(address, cache=None, timeout=0.1).meta(1)

    @contextlib.contextmanager
    def stranger(self, answer):
        """Serves one connection with bytes; None keeps it waiting."""
        with socket.create_server(("127.0.0.1", 0)) as server:

            def serve():
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    if answer is None:
                        connection.recv(1)  # until the client closes
                    else:
                        connection.sendall(answer)

            thread = threading.Thread(target=serve)
            thread.start()
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
            thread.join()

    def test_cache(self):
        statuses = []
        opened = urllib.request.urlopen

        def noted(*args, **more):
            try:
                response = opened(*args, **more)
            except urllib.error.HTTPError as error:
                statuses.append(error.code)
                raise
            statuses.append(response.status)
            return response

        urllib.request.urlopen = noted
        self.addCleanup(setattr, urllib.request, "urlopen", opened)
        first = self.almanac.data(1, dim1="Population")
        again = self.almanac.data(1, dim1="Population")
        self.assertTrue(first.equals(again))
        self.assertEqual(statuses, [200, 304])
        for kept in (lambda file: b"", lambda file: file[: len(file) // 2]):
            for file in Path(self.folder.name).iterdir():
                file.write_bytes(kept(file.read_bytes()))  # a damaged file is as none
            self.assertTrue(first.equals(self.almanac.data(1, dim1="Population")))
        self.assertEqual(statuses, [200, 304, 200, 200])

    def test_folders_that_cannot_be_written(self):
        """Responses are read, but not kept."""
        file = Path(self.folder.name, "file")
        file.touch()
        for folder in (file / "below", "/proc/none"):
            self.assertEqual(len(Almanac(os.environ["ALMANAC_URL"], cache=folder).data(1, country="JP", dim1="Population", last_n=1)), 1)
        self.assertEqual(file.read_bytes(), b"")


if __name__ == "__main__":
    unittest.main()
