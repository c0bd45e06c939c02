package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
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

// areaCodes returns areas with their names.
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
	for i := range h.datasets {
		s := shape{id: len(all) + 1, code: fmt.Sprintf("small_%04d", i), counts: []int{5, 2}, areas: areas[:20], freq: stat.Quarter, year: 2010, nPeriods: 40}
		switch i % 3 {
		case 1:
			s.freq, s.year, s.nPeriods = stat.Annual, 1990, 30
		case 2:
			s.freq, s.year, s.nPeriods = stat.Month, 2018, 60
		}
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
		s := shape{id: i + 1, code: fmt.Sprintf("entry_%06d", i), counts: []int{1}, areas: areas[:1+i/2%6], freq: stat.Annual, year: 2020, nPeriods: 2}
		if i%2 == 1 {
			s.areas = areas[1 : 1+max(1, i/2%6)]
		}
		all = append(all, s)
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

// imported is a line of `almanac import --json`.
type imported struct {
	commandRun
	ID           int
	Observations struct{ Read, Stored int }
}

// importing returns the command that imports files into a store.
func (h *harness) importing(dir string, files ...string) []string {
	return append([]string{h.binary, "import", "--data", dir, "--json"}, files...)
}

// importFiles imports files and returns the last line of the output.
func (h *harness) importFiles(dir string, files ...string) imported {
	return h.runImport(h.importing(dir, files...))
}

func (h *harness) runImport(command []string) (last imported) {
	last.commandRun = h.command(command...)
	check(json.Unmarshal(last.lastLine, &last))
	return last
}
