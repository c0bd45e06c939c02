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
// parsers of the standard library that only read it.
type largeFile struct {
	name    string
	write   func(w io.Writer, observations int) error
	parse   func(path string)
	reuse   func(path string) // parse with ReuseRecord; nil: there is no such parser
	atLeast float64           // goal for the ratio; 0: none
}

func largeFiles() []largeFile {
	reuse := func(path string) { parseCSV(path, true) }
	parse := func(path string) { parseCSV(path, false) }
	labelled := []string{"A,Normal value", "A,Normal value", "A,Normal value", "E,Estimated value"}
	return []largeFile{
		{"tidy.csv", writeRows("freq,item,sector,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n",
			"Q,I%[1]d,S%[2]d,%[3]s,%[5]d-Q%[6]d,%.2[7]f,%[8]s\n", []string{"", "", "", "E"}), parse, reuse, 0.5},
		{"labels.csv", writeRows("\"geo\",\"Country\",\"item\",\"Item\",\"sector\",\"Sector\",\"Period\",\"Unit\",\"Value\",\"Flag\"\n",
			"\"%[3]s\",\"%[4]s\",\"I%[1]d\",\"Item of expenditure no. %[1]d\",\"S%[2]d\",\"Institutional sector no. %[2]d\",\"%[5]d-Q%[6]d\",\"Million euro\",\"%.2[7]f\",\"%[8]s\"\n",
			[]string{"", "", "", "E"}), parse, reuse, 0.5},
		{"sdmx.csv", writeRows("DATAFLOW,FREQ,ITEM,SECTOR,REF_AREA,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n",
			"BENCH:LARGE(1.0),Q,I%[1]d,S%[2]d,%[3]s,%[5]d-Q%[6]d,%.2[7]f,%[8]s\n", []string{"", "", "", "E"}), parse, reuse, 0.5},
		{"sdmx-labels.csv", writeRows("STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION,FREQ,Frequency of observation,REF_AREA,Reference area,ITEM,Item of expenditure,SECTOR,Institutional sector,"+
			"TIME_PERIOD,Time period,OBS_VALUE,Observation value,OBS_STATUS,Observation status,UNIT_MULT,Unit multiplier,DECIMALS,Decimals\n",
			"DATAFLOW,BENCH:LARGE(1.0),Large dataset,I,Q,Quarterly,%[3]s,%[4]s,I%[1]d,Item of expenditure no. %[1]d,S%[2]d,Institutional sector no. %[2]d,%[5]d-Q%[6]d,,%.2[7]f,,%[8]s,6,Millions,2,Two\n", labelled), parse, reuse, 0.5},
		{"cube.json", writeCube, parseJSON, nil, 0},
	}
}

// The number of quarters of a series, and of sectors of an item.
const (
	periodsOfLarge = 100
	sectorsOfItem  = 20
)

var (
	largeAreas = []string{"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL"}
	areaNames  = []string{"Austria", "Belgium", "Bulgaria", "Cyprus", "Czechia", "Germany", "Denmark", "Estonia", "Spain", "Finland",
		"France", "Croatia", "Hungary", "Ireland", "Italy", "Lithuania", "Luxembourg", "Latvia", "Malta", "Netherlands"}
)

// writeRows returns a function that writes a table. row is the format of an item, a sector,
// an area, its name, a year, a quarter, a number and one of the flags.
func writeRows(headings, row string, flags []string) func(io.Writer, int) error {
	return func(w io.Writer, observations int) error {
		_, err := io.WriteString(w, headings)
		for i := 0; i < observations && err == nil; i++ {
			series, period := i/periodsOfLarge, i%periodsOfLarge
			item, sector, area := series/len(largeAreas)/sectorsOfItem, series/len(largeAreas)%sectorsOfItem, series%len(largeAreas)
			_, err = fmt.Fprintf(w, row, item, sector, largeAreas[area], areaNames[area], 2000+period/4, 1+period%4,
				float64(uint32(i)*2654435761%10_000_000)/100, flags[i%len(flags)])
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

func parseCSV(path string, isReused bool) {
	f := must(os.Open(path))
	defer f.Close()
	r := csv.NewReader(bufio.NewReaderSize(f, 64<<10))
	r.ReuseRecord = isReused
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
	t := newTable("file", "million observations", "MB", "ratio", "ratio, ReuseRecord")
	for _, file := range largeFiles() {
		fmt.Fprintf(h.log, "import of %s\n", file.name)
		h.withTempDir(func(dir string) {
			path := filepath.Join(dir, file.name)
			createFile(path, func(w io.Writer) error { return file.write(w, h.imported) })
			t.add(file.name, "MB", float64(must(os.Stat(path)).Size())/1e6)
			for round := range h.rounds {
				parse := seconds(file.parse, path)
				t.add(file.name, "parser: s", parse)
				store := filepath.Join(dir, fmt.Sprint("store-", round))
				var result importResult
				r := h.command(&result, h.importCommand(store, "--source", "Bench", "--code", "large", path)...)
				check(os.RemoveAll(store))
				if round == 0 {
					t.add(file.name, "million observations", float64(result.Observations.Stored)/1e6)
				}
				t.add(file.name, "ratio", parse/r.wall.Seconds()).atLeast = file.atLeast
				if file.reuse != nil {
					t.add(file.name, "ratio, ReuseRecord", seconds(file.reuse, path)/r.wall.Seconds())
				}
				t.add(file.name, "import: s", r.wall.Seconds())
				t.add(file.name, "import: CPU s", r.cpu.Seconds())
				t.add(file.name, "import: peak memory, MB", r.memory).atMost = 1000
			}
		})
	}
	return "Generated files, imported into an empty store. The parser is `encoding/csv`, or `json.Valid`, over the same file in the same round; it is one goroutine and does nothing with what it reads. " +
		"Ratio: its time ÷ that of the whole import: reading, sorting, checking every cell, and writing and syncing the compressed file. " +
		"With ReuseRecord the parser keeps no row, which the import does not either.\n\n" + t.String()
}

func seconds(parse func(path string), path string) float64 {
	begin := time.Now()
	parse(path)
	return time.Since(begin).Seconds()
}
