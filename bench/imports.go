package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// largeFile is a generated file with as many observations as [size.imported], and the
// parser of the standard library that only reads it.
type largeFile struct {
	name    string
	write   func(w io.Writer, observations int) error
	parse   func(path string)
	atLeast float64 // goal for the ratio; 0: none
}

func largeFiles() []largeFile {
	return []largeFile{
		{"tidy.csv", writeTidy("", "freq,item,sector,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n"), parseCSV, 0.5},
		{"sdmx.csv", writeTidy("BENCH:LARGE(1.0),", "DATAFLOW,FREQ,ITEM,SECTOR,REF_AREA,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n"), parseCSV, 0.5},
		{"cube.json", writeCube, parseJSON, 0},
	}
}

// The number of quarters of a series, and of sectors of an item.
const (
	periodsOfLarge = 100
	sectorsOfItem  = 20
)

var largeAreas = []string{"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL"}

// writeTidy returns a function that writes a table, with text before each row.
func writeTidy(before, headings string) func(io.Writer, int) error {
	return func(w io.Writer, observations int) error {
		_, err := io.WriteString(w, headings)
		for i := 0; i < observations && err == nil; i++ {
			series, period := i/periodsOfLarge, i%periodsOfLarge
			item, sector, area := series/len(largeAreas)/sectorsOfItem, series/len(largeAreas)%sectorsOfItem, series%len(largeAreas)
			_, err = fmt.Fprintf(w, "%sQ,I%d,S%d,%s,%d-Q%d,%.2f,%s\n", before, item, sector, largeAreas[area],
				2000+period/4, 1+period%4, float64(uint32(i)*2654435761%10_000_000)/100, []string{"", "", "", "E"}[i%4])
		}
		return err
	}
}

// writeCube writes JSON-stat with one digit for each observation.
func writeCube(w io.Writer, observations int) error {
	const perItem = 20 * 150 // areas and years
	items := make([]string, (observations+perItem-1)/perItem)
	for i := range items {
		items[i] = fmt.Sprint("I", i)
	}
	var years []string
	for year := range 150 {
		years = append(years, strconv.Itoa(1870+year))
	}
	index := func(codes []string) map[string]any {
		return map[string]any{"category": map[string]any{"index": codes}}
	}
	text := must(json.Marshal(map[string]any{
		"version": "2.0", "class": "dataset", "label": "Large", "source": "Bench",
		"id": []string{"item", "geo", "time"}, "size": []int{len(items), len(largeAreas), len(years)},
		"role":      map[string]any{"geo": []string{"geo"}, "time": []string{"time"}},
		"dimension": map[string]any{"item": index(items), "geo": index(largeAreas), "time": index(years)},
	}))
	_, err := fmt.Fprintf(w, `%s,"value":[0`, text[:len(text)-1])
	for i := 1; i < len(items)*perItem && err == nil; i++ {
		_, err = w.Write([]byte{',', byte('0' + i%9)})
	}
	if err == nil {
		_, err = io.WriteString(w, "]}")
	}
	return err
}

func parseCSV(path string) {
	f := must(os.Open(path))
	defer f.Close()
	r := csv.NewReader(bufio.NewReaderSize(f, 64<<10))
	r.ReuseRecord = true
	for {
		_, err := r.Read()
		if err == io.EOF {
			return
		}
		check(err)
	}
}

func parseJSON(path string) {
	if !json.Valid(must(os.ReadFile(path))) {
		check(fmt.Errorf("%s is not JSON", path))
	}
}

// measureImports imports large files into empty stores. Each round parses the same file
// with the standard library before.
func (h *harness) measureImports() string {
	t := newTable("file", "million observations", "MB", "ratio")
	for _, file := range largeFiles() {
		fmt.Fprintf(h.log, "import of %s\n", file.name)
		h.withTempDir(func(dir string) {
			path := filepath.Join(dir, file.name)
			createFile(path, func(w io.Writer) error { return file.write(w, h.imported) })
			t.add(file.name, "MB", float64(must(os.Stat(path)).Size())/1e6)
			for round := range h.rounds {
				begin := time.Now()
				file.parse(path)
				t.add(file.name, "parser: s", time.Since(begin).Seconds())
				var result importResult
				store := filepath.Join(dir, fmt.Sprint("store-", round))
				r := h.command(&result, h.importCommand(store, "--source", "Bench", "--code", "large", path)...)
				check(os.RemoveAll(store))
				if round == 0 {
					t.add(file.name, "million observations", float64(result.Observations.Stored)/1e6)
				}
				t.add(file.name, "import: s", r.wall.Seconds())
				t.add(file.name, "import: CPU s", r.cpu.Seconds())
				t.add(file.name, "import: peak memory, MB", r.memory).atMost = 1000
			}
		})
		t.addRatios(file.name, "parser: s", "import: s").atLeast = file.atLeast
	}
	return "Generated files, imported into an empty store. The parser is `encoding/csv` with ReuseRecord, or `json.Valid`, over the same file in the same round, and does nothing with what it reads. " +
		"Ratio: its time ÷ that of the whole import: reading twice, sorting, checking every cell, and writing and syncing the compressed file.\n\n" + t.String()
}
