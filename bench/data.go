package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/format/tidy"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

const seed = 2026 // of all random queries

// areas are the areas of the generated datasets; Germany is the first.
var areas = areaCodes("DE AT BE BG CH CY CZ DK EE ES FI FR GB GR HR HU IE IS IT LT LU LV MT NL NO PL PT RO SE SI SK TR RS ME MK AL BA UA GE MD")

func areaCodes(ids string) (codes []stat.Code) {
	for id := range strings.FieldsSeq(ids) {
		area, _ := geo.Find(id) // the label of an unknown area is empty
		codes = append(codes, stat.Code{ID: area.ID, Label: area.Name})
	}
	return codes
}

// shape is a generated dataset: a series for each combination of codes.
type shape struct {
	code     string
	name     string // if it has one of its own
	counts   []int  // of the codes of each dimension
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

// write writes the dataset as a tidy file, with every thirtieth value missing and
// some flagged.
func (s *shape) write(w io.Writer) error {
	d := &stat.Dataset{
		Source: stat.Source{ID: "local", Name: "Generated for benchmarks"}, // areas of a local source have ISO codes
		Code:   s.code, Name: cmp.Or(s.name, "Value added by branch, unit and area ("+s.code+")"),
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
	axes, random := d.Axes(), rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(s.code))), 7))
	perYear := map[stat.Frequency]int{stat.Annual: 1, stat.Quarter: 4, stat.Month: 12}[s.freq]
	var list []stat.Observation
	for series := range nSeries {
		key, rest := make([]int32, len(axes)), series
		for i, axis := range slices.Backward(axes) {
			key[i], rest = int32(rest%len(axis.Codes)), rest/len(axis.Codes)
		}
		value := 100 + 900*random.Float64()
		for n := range s.nPeriods {
			value *= 1 + (random.Float64()-0.48)/20
			o := stat.Observation{Key: key, Period: stat.NewPeriod(s.freq, s.year+n/perYear, n%perYear+1), Value: math.Round(value*10) / 10}
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

// mainStore is the store of most cases, with the IDs of its datasets.
type mainStore struct {
	dir       string
	big       int   // has many series
	million   []int // read whole
	small     []int
	generated []int // all of these
	sparse    int   // the real partner dataset, 0 without the offices' files
}

// largeDatasets is the number of datasets that are read whole.
const largeDatasets = 3

// mainStore fills the main store, unless an earlier run did.
func (h *harness) mainStore() *mainStore {
	const periods = 250
	series := h.big / len(areas)
	all := []shape{{code: "big", counts: []int{max(series/200, 1), min(series, 10), min(max(series/10, 1), 20)}, areas: areas, freq: stat.Annual, year: 2000, nPeriods: 20}}
	for i := range largeDatasets {
		wanted := h.million * 104 / 100 // some will be missing
		counts := []int{max(wanted/periods/len(areas), 1)}
		all = append(all, shape{code: fmt.Sprintf("million_%d", i), counts: counts, areas: areas, freq: stat.Month, year: 2000, nPeriods: periods})
	}
	times := []shape{{freq: stat.Quarter, year: 2010, nPeriods: 40}, {freq: stat.Annual, year: 1990, nPeriods: 30}, {freq: stat.Month, year: 2018, nPeriods: 60}}
	for i := range h.datasets {
		s := times[i%len(times)]
		s.code, s.counts, s.areas = fmt.Sprintf("small_%04d", i), []int{5, 2}, areas[:20]
		all = append(all, s)
	}
	s := &mainStore{}
	for i := range all {
		s.generated = append(s.generated, i+1)
	}
	s.big, s.million, s.small = s.generated[0], s.generated[1:1+largeDatasets], s.generated[1+largeDatasets:]
	name := fmt.Sprintf("main-%d-%d-%d", h.datasets, h.big, h.million)
	var files []string
	if partners := filepath.Join(h.data, "eurostat", "tsv-new", "tran_r_rapa.tsv"); exists(partners) {
		name, files, s.sparse = name+"-real", []string{partners}, len(all)+1
	}
	s.dir = h.fillStore(name, all, files...)
	return s
}

// catalogStore fills the store with many datasets of a few values each, every
// other one with Germany, unless an earlier run did.
func (h *harness) catalogStore() (dir string) {
	return h.fillStore(fmt.Sprintf("catalog-%d", h.catalog), catalogShapes(h.catalog, nil))
}

// catalogShapes returns n datasets of a few values each, every other one with Germany, with
// names in turn if there are any.
func catalogShapes(n int, names []string) (all []shape) {
	for i := range n {
		first := i % 2
		s := shape{code: fmt.Sprintf("entry_%06d", i), counts: []int{1}, areas: areas[first : first+1+i/2%6], freq: stat.Annual, year: 2020, nPeriods: 2}
		if len(names) > 0 {
			s.name = names[i%len(names)]
		}
		all = append(all, s)
	}
	return all
}

// fillStore imports generated datasets and then files into a store, unless an earlier
// run did. The IDs are 1, 2, 3 … in this order.
func (h *harness) fillStore(name string, shapes []shape, files ...string) (dir string) {
	dir = filepath.Join(h.stores, name)
	if exists(dir) {
		return dir
	}
	fmt.Fprintf(h.log, "filling %s\n", dir)
	unfinished, count := dir+".part", 0
	check(os.RemoveAll(unfinished))
	add := func(files []string) {
		var last importResult
		h.command(&last, h.importCommand(unfinished, files...)...)
		if count += len(files); last.ID != count {
			check(fmt.Errorf("dataset %s has ID %d instead of %d", files[len(files)-1], last.ID, count))
		}
	}
	for group := range slices.Chunk(shapes, 1000) {
		h.withTempDir(func(temp string) {
			var generated []string
			for _, s := range group {
				file := filepath.Join(temp, s.code+".csv")
				createFile(file, s.write)
				generated = append(generated, file)
			}
			add(generated)
		})
	}
	if len(files) > 0 {
		add(files)
	}
	check(os.Rename(unfinished, dir))
	return dir
}

// importResult is a line of `almanac import --json`.
type importResult struct {
	ID           int
	Observations struct{ Read, Stored int }
}

// importCommand returns the command that imports files into a store.
func (h *harness) importCommand(dir string, files ...string) []string {
	return append([]string{h.binary, "import", "--data", dir, "--json"}, files...)
}

// The queries of the cases (a) and (g): one series, five areas, twenty periods.
const (
	queryAreas   = 5
	queryPeriods = 20
)

// partQueries reads datasets whole and returns n requests for random parts of the
// series of each.
func (h *harness) partQueries(p *process, n int, ids ...int) (list []string) {
	random, c := rand.New(rand.NewPCG(seed, 1)), dial(h.ctx, p)
	defer c.Close()
	for _, id := range ids {
		whole := exchange{URI: fmt.Sprintf("/api/datasets/%d", id)}
		c.exchange(&whole, http.StatusOK)
		var dataset struct {
			Data []struct {
				Key       map[string]string         `json:"series_key"`
				Countries []string                  `json:"countries"`
				Rows      []struct{ Period string } `json:"rows"`
			}
		}
		check(json.Unmarshal(whole.Body, &dataset))
		for range n {
			series, query := dataset.Data[random.IntN(len(dataset.Data))], url.Values{}
			for name, value := range series.Key {
				query.Set(strings.TrimSuffix(name, "_value"), value)
			}
			for _, i := range random.Perm(len(series.Countries))[:min(queryAreas, len(series.Countries))] {
				query.Add("country", series.Countries[i])
			}
			slices.Sort(query["country"])
			from := random.IntN(max(len(series.Rows)-queryPeriods, 0) + 1)
			query.Set("period_from", series.Rows[from].Period)
			query.Set("period_to", series.Rows[min(from+queryPeriods, len(series.Rows))-1].Period)
			list = append(list, fmt.Sprintf("/api/datasets/%d/data?%s", id, query.Encode()))
		}
	}
	return list
}

// addresses returns an address for each dataset.
func addresses(format string, ids []int) (list []string) {
	for _, id := range ids {
		list = append(list, fmt.Sprintf(format, id))
	}
	return list
}

// catalogPages returns the pages of a hundred datasets, with further parameters.
func catalogPages(datasets int, more string) (list []string) {
	for page := range (datasets + 99) / 100 {
		list = append(list, fmt.Sprintf("/api/datasets?page=%d&limit=100%s", page, more))
	}
	return list
}
