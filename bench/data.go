package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/format/tidy"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// areas are the areas of the generated datasets; Germany is the first.
var areas = areaCodes("DE AT BE BG CH CY CZ DK EE ES FI FR GB GR HR HU IE IS IT LT LU LV MT NL NO PL PT RO SE SI SK TR RS ME MK AL BA UA GE MD")

func areaCodes(ids string) (codes []stat.Code) {
	for id := range strings.FieldsSeq(ids) {
		area, _ := geo.Find(id) // an unknown one is named by its code
		codes = append(codes, stat.Code{ID: area.ID, Label: area.Name})
	}
	return codes
}

// shape is a generated dataset: a series for each combination of codes.
type shape struct {
	id       int // in the store
	code     string
	counts   []int // of the codes of each dimension
	areas    []stat.Code
	freq     stat.Frequency
	year     int // of the first period
	nPeriods int
}

// dimensions are the dimensions of generated datasets, each with the label of its codes.
var dimensions = []struct {
	id, label, code string
	role            stat.Role
}{
	{"na_item", "National accounts indicator", "Gross value added of branch %02d of the economy", stat.RoleOther},
	{"unit", "Unit of measure", "Million units of national currency, variant %02d", stat.RoleUnit},
	{"s_adj", "Seasonal adjustment", "Adjustment method number %02d", stat.RoleOther},
}

// period returns the n-th period, from 0.
func (s *shape) period(n int) stat.Period {
	perYear := map[stat.Frequency]int{stat.Annual: 1, stat.Quarter: 4, stat.Month: 12}[s.freq]
	return stat.NewPeriod(s.freq, s.year+n/perYear, n%perYear+1)
}

// write writes the dataset as a tidy file, with every thirtieth value missing and
// some flagged.
func (s *shape) write(w io.Writer) error {
	d := &stat.Dataset{
		Source: stat.Source{ID: "local", Name: "Generated for benchmarks"}, // areas of a local source have ISO codes
		Code:   s.code, Name: "Value added by branch, unit and area (" + s.code + ")",
		Description: "A generated dataset whose structure is like that of national accounts.",
		Geography:   stat.Dimension{ID: "geo", Label: "Geopolitical entity", Role: stat.RoleGeo, Codes: s.areas},
		GeographyAt: len(s.counts),
	}
	nSeries := len(s.areas)
	for i, count := range s.counts {
		nSeries *= count
		dim := stat.Dimension{ID: dimensions[i].id, Label: dimensions[i].label, Role: dimensions[i].role}
		for code := range count {
			dim.Codes = append(dim.Codes, stat.Code{ID: fmt.Sprintf("%s%02d", dim.ID, code), Label: fmt.Sprintf(dimensions[i].code, code)})
		}
		d.Dimensions = append(d.Dimensions, dim)
	}
	axes, random := d.Axes(), rand.New(rand.NewPCG(uint64(s.id), 7))
	var list []stat.Observation
	for series := range nSeries {
		key, rest := make([]int32, len(axes)), series
		for i, axis := range slices.Backward(axes) {
			key[i], rest = int32(rest%len(axis.Codes)), rest/len(axis.Codes)
		}
		value := 100 + 900*random.Float64()
		for n := range s.nPeriods {
			value *= 1 + (random.Float64()-0.48)/20
			o := stat.Observation{Key: key, Period: s.period(n), Value: math.Round(value*10) / 10}
			switch chance := random.IntN(30); {
			case chance == 0 && n > 0:
				continue
			case chance == 1:
				o.Flags = "P"
			}
			list = append(list, o)
		}
	}
	return tidy.Write(w, d, list)
}

// mainStore is the store of most cases.
type mainStore struct {
	dir     string
	big     shape // with many series
	million []shape
	small   []shape
	sparse  int // ID of the real partner dataset, 0 without the offices' files
}

// largeDatasets is the number of datasets that are read whole.
const largeDatasets = 3

// mainStore fills the main store, unless an earlier run did.
func (h *harness) mainStore() *mainStore {
	const periods = 250
	series := h.big / len(areas)
	all := []shape{{id: 1, code: "big", counts: []int{max(series/200, 1), min(series, 10), min(max(series/10, 1), 20)}, areas: areas, freq: stat.Annual, year: 2000, nPeriods: 20}}
	for i := range largeDatasets {
		wanted := h.million * 104 / 100 // some will be missing
		all = append(all, shape{id: len(all) + 1, code: fmt.Sprintf("million_%d", i), counts: []int{max(wanted/periods/len(areas), 1)}, areas: areas, freq: stat.Month, year: 2000, nPeriods: periods})
	}
	times := []shape{{freq: stat.Quarter, year: 2010, nPeriods: 40}, {freq: stat.Annual, year: 1990, nPeriods: 30}, {freq: stat.Month, year: 2018, nPeriods: 60}}
	for i := range h.datasets {
		s := times[i%len(times)]
		s.id, s.code, s.counts, s.areas = len(all)+1, fmt.Sprintf("small_%04d", i), []int{5, 2}, areas[:20]
		all = append(all, s)
	}
	s := &mainStore{big: all[0], million: all[1 : 1+largeDatasets], small: all[1+largeDatasets:]}
	name := fmt.Sprintf("main-%d-%d-%d", h.datasets, h.big, h.million)
	var files []string
	if partners := filepath.Join(h.data, "eurostat", "tsv-new", "tran_r_rapa.tsv"); exists(partners) {
		name, files, s.sparse = name+"-real", []string{partners}, len(all)+1
	}
	s.dir = h.fill(name, all, files...)
	return s
}

// catalogStore fills the store with many datasets of a few values each, every
// second one with Germany, unless an earlier run did.
func (h *harness) catalogStore() (dir string) {
	var all []shape
	for i := range h.catalog {
		first := i % 2
		all = append(all, shape{id: i + 1, code: fmt.Sprintf("entry_%06d", i), counts: []int{1}, areas: areas[first : first+1+i/2%6], freq: stat.Annual, year: 2020, nPeriods: 2})
	}
	return h.fill(fmt.Sprintf("catalog-%d", h.catalog), all)
}

// fill imports generated datasets and then files into a store, unless an earlier
// run did.
func (h *harness) fill(name string, shapes []shape, files ...string) (dir string) {
	dir = filepath.Join(h.stores, name)
	if exists(dir) {
		return dir
	}
	fmt.Fprintf(h.log, "filling %s\n", dir)
	unfinished := dir + ".part"
	check(os.RemoveAll(unfinished))
	for group := range slices.Chunk(shapes, 1000) {
		h.withTempDir(func(temp string) {
			var generated []string
			for _, s := range group {
				file := filepath.Join(temp, s.code+".csv")
				createFile(file, s.write)
				generated = append(generated, file)
			}
			if last := h.importFiles(unfinished, generated...); last.ID != group[len(group)-1].id {
				check(fmt.Errorf("dataset %s has ID %d instead of %d", group[len(group)-1].code, last.ID, group[len(group)-1].id))
			}
		})
	}
	if len(files) > 0 {
		h.importFiles(unfinished, files...)
	}
	check(os.Rename(unfinished, dir))
	return dir
}

// importResult is a line of `almanac import --json`.
type importResult struct {
	commandRun
	ID           int
	Observations struct{ Read, Stored int }
}

// importing returns the command that imports files into a store.
func (h *harness) importing(dir string, files ...string) []string {
	return append([]string{h.binary, "import", "--data", dir, "--json"}, files...)
}

// importFiles imports files and returns the last line of the output.
func (h *harness) importFiles(dir string, files ...string) (last importResult) {
	last.commandRun = h.command(&last, h.importing(dir, files...)...)
	return last
}

// The queries of the case (a): one series, five areas, twenty periods.
const (
	queryAreas   = 5
	queryPeriods = 20
)

// partOf returns a request for random areas and periods of a series with the
// parameters p.
func partOf(id int, p url.Values, areas, periods []string, random *rand.Rand) string {
	for _, i := range random.Perm(len(areas))[:min(queryAreas, len(areas))] {
		p.Add("country", areas[i])
	}
	slices.Sort(p["country"])
	from := random.IntN(max(len(periods)-queryPeriods, 0) + 1)
	p.Set("period_from", periods[from])
	p.Set("period_to", periods[min(from+queryPeriods, len(periods))-1])
	return fmt.Sprintf("/api/datasets/%d/data?%s", id, p.Encode())
}

// seriesOf returns the dimensions of a random series.
func (s *shape) seriesOf(random *rand.Rand) url.Values {
	p := url.Values{}
	for i, n := range s.counts {
		p.Set(fmt.Sprintf("dim%d", i+1), fmt.Sprintf(dimensions[i].code, random.IntN(n)))
	}
	return p
}

func (s *shape) query(random *rand.Rand) string {
	var countries, periods []string
	for _, a := range s.areas {
		countries = append(countries, a.Label)
	}
	for n := range s.nPeriods {
		periods = append(periods, s.period(n).String())
	}
	return partOf(s.id, s.seriesOf(random), countries, periods, random)
}

// distinct returns the different results of n calls, in order.
func distinct(n int, query func(i int) string) (list []string) {
	for i := range n {
		list = append(list, query(i))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// seriesQueries visits every small dataset in turn; every twentieth query goes to
// the large one.
func (s *mainStore) seriesQueries(random *rand.Rand, n int) []string {
	return distinct(n, func(i int) string {
		if i%20 == 19 {
			return s.big.query(random)
		}
		return s.small[i%len(s.small)].query(random)
	})
}

// everyDataset returns an address for each generated dataset.
func (s *mainStore) everyDataset(format string) (list []string) {
	for id := range 1 + len(s.million) + len(s.small) {
		list = append(list, fmt.Sprintf(format, id+1))
	}
	return list
}

func (s *mainStore) latestQueries(random *rand.Rand, n int) []string {
	return distinct(n, func(i int) string {
		d := &s.small[i%len(s.small)]
		p := d.seriesOf(random)
		p.Set("country", d.areas[random.IntN(len(d.areas))].Label)
		return fmt.Sprintf("/api/datasets/%d/latest?%s", d.id, p.Encode())
	})
}

// catalogPages returns the pages of a hundred datasets, with further parameters.
func catalogPages(datasets int, more string) (list []string) {
	for page := range (datasets + 99) / 100 {
		list = append(list, fmt.Sprintf("/api/datasets?page=%d&limit=100%s", page, more))
	}
	return list
}

// sparseQueries reads a dataset and requests parts of its series. Partner data
// fill a small part of their cube, so random keys would all be empty.
func (h *harness) sparseQueries(p *process, id int, random *rand.Rand) []string {
	w := h.workload("sparse dataset", 0, fmt.Sprintf("/api/datasets/%d", id))
	h.capture(p, w)
	var dataset struct {
		Data []struct {
			Key       map[string]string         `json:"series_key"`
			Countries []string                  `json:"countries"`
			Rows      []struct{ Period string } `json:"rows"`
		}
	}
	check(json.Unmarshal(w.list[0].Body, &dataset))
	return distinct(h.queries, func(int) string {
		series, p, periods := dataset.Data[random.IntN(len(dataset.Data))], url.Values{}, []string{}
		for name, value := range series.Key {
			p.Set(strings.TrimSuffix(name, "_value"), value)
		}
		for _, row := range series.Rows {
			periods = append(periods, row.Period)
		}
		return partOf(id, p, series.Countries, periods, random)
	})
}
