package clients

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// The largest datasets that clients of SDMX read, and rsdmx, which takes minutes for larger ones.
const (
	maxSDMX  = 5_000
	maxRSDMX = 500
)

// flows returns the datasets that clients of SDMX read as a whole: those of at most limit
// observations, as many of each source as there are: all of them if ALMANAC_SOAK is 1, else at most short.
// A client names only the ID, so each is there once.
func (s *service) flows(t *testing.T, limit, short int) []dataset {
	t.Helper()
	list := slices.DeleteFunc(slices.Clone(s.datasets), func(d dataset) bool { return d.Observations > limit || d.Observations == 0 })
	slices.SortStableFunc(list, func(a, b dataset) int { return cmp.Compare(b.Observations, a.Observations) })
	rank, count, isTaken := map[int]int{}, map[string]int{}, map[string]bool{}
	list = slices.DeleteFunc(list, func(d dataset) bool {
		taken := isTaken[strings.ToLower(d.Code)]
		isTaken[strings.ToLower(d.Code)] = true
		rank[d.ID] = count[d.Source]
		count[d.Source]++
		return taken
	})
	slices.SortStableFunc(list, func(a, b dataset) int { return cmp.Compare(rank[a.ID], rank[b.ID]) })
	return list[:min(len(list), stattest.Rounds(t, short, len(list)))]
}

// flowIDs returns the IDs of datasets as dataflows.
func flowIDs(datasets []dataset) []string {
	var ids []string
	for _, d := range datasets {
		ids = append(ids, sdmx.EscapeID(d.Code))
	}
	return ids
}

// withoutZeros returns the datasets without codes such as 0604, and their IDs: pysdmx reads all
// columns of CSV as numbers if they look so.
func (s *service) withoutZeros(t *testing.T, flows []dataset) ([]dataset, []string) {
	t.Helper()
	list := slices.DeleteFunc(slices.Clone(flows), func(d dataset) bool {
		return slices.ContainsFunc(s.shape(t, d).all, func(code string) bool {
			_, err := strconv.Atoi(code)
			return err == nil && len(code) > 1 && code[0] == '0'
		})
	})
	return list, flowIDs(list)
}

// sdmxTable is what a client read of a dataset.
type sdmxTable struct {
	Dimensions []string
	Codes      map[string]map[string][]string // in the structure, by dimension, with their names
	Rows       [][]any                        // codes, period, value, attributes
}

// The places of the attributes behind the value.
const (
	atStatus = iota
	atFlag
	atConfidentiality
	atComment
	atUnit
	atMultiplier
	attributes
)

// TestSDMX reads structures and data with clients of SDMX, as their documentation does.
func TestSDMX(t *testing.T) {
	s := serve(t)
	for client, short := range map[string]int{"sdmx1": maxShort, "pysdmx": maxFurther, "pysdmx_ml3": maxFurther, "pysdmx_csv": maxFurther, "pysdmx_csv2": maxShort} {
		t.Run(client, func(t *testing.T) {
			flows := s.flows(t, maxSDMX, short)
			if len(flows) < short {
				t.Fatalf("%d datasets, want %d or more", len(flows), short)
			}
			ids := flowIDs(flows)
			if strings.HasPrefix(client, "pysdmx_csv") {
				flows, ids = s.withoutZeros(t, flows)
			}
			lines := strings.Split(strings.TrimSpace(python(t, "readsdmx.py", append([]string{client, s.url + "/sdmx"}, ids...)...)), "\n")
			for i, d := range flows {
				t.Run(d.Source+" "+d.Code, func(t *testing.T) {
					var table sdmxTable
					if err := json.Unmarshal([]byte(lines[i]), &table); err != nil {
						t.Fatal(err)
					}
					s.checkSDMX(t, d, &table)
				})
			}
		})
	}
}

// TestRSDMX reads data with their structure with rsdmx.
func TestRSDMX(t *testing.T) {
	s := serve(t)
	flows := s.flows(t, maxRSDMX, maxFurther)
	arguments := []string{"testdata/readsdmx.R", s.url + "/sdmx"}
	for i, id := range flowIDs(flows) {
		arguments = append(arguments, sdmx.AgencyOf(flows[i].Source)+","+id)
	}
	for i, part := range strings.Split(strings.Trim(run(t, "Rscript", arguments...), "\n"), "\n\n") {
		t.Run(flows[i].Source+" "+flows[i].Code, func(t *testing.T) {
			lines := strings.Split(part, "\n")
			codes, err := strconv.Atoi(lines[0])
			if err != nil {
				t.Fatal(err)
			}
			shape := s.shape(t, flows[i])
			table := tableOfR(t, lines[1:], shape)
			const statusCodes = 20 // rsdmx counts the list of OBS_STATUS too
			if codes -= statusCodes; codes != shape.codes {
				t.Errorf("the structure has %d codes, want %d", codes, shape.codes)
			}
			s.checkRows(t, flows[i], table, shape)
		})
	}
}

// tableOfR reads a table with the columns that rsdmx makes.
func tableOfR(t *testing.T, lines []string, sh *shape) *sdmxTable {
	t.Helper()
	header := strings.Split(lines[0], "\t")
	time := slices.Index(header, "obsTime")
	table := &sdmxTable{}
	var places []int
	for i, id := range header[:time] {
		isOfSeries := slices.Contains([]string{"UNIT_MEASURE", "UNIT_MULT"}, strings.TrimSuffix(id, "_2"))
		if !isOfSeries || slices.Contains(sh.order, id) || slices.Contains(sh.fixed, id) {
			table.Dimensions, places = append(table.Dimensions, id), append(places, i)
		}
	}
	names := make([]string, attributes)
	names[atStatus], names[atFlag], names[atConfidentiality], names[atComment] = "OBS_STATUS", "OBS_FLAG", "CONF_STATUS", "OBS_COMMENT"
	names[atUnit], names[atMultiplier] = "UNIT_MEASURE", "UNIT_MULT"
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		var row []any
		for _, at := range places {
			row = append(row, cells[at])
		}
		number, err := strconv.ParseFloat(strings.TrimSpace(cells[slices.Index(header, "obsValue")]), 64)
		row = append(row, cells[time], any(number))
		if err != nil || math.IsNaN(number) {
			row[len(row)-1] = nil
		}
		for _, name := range names {
			at := slices.Index(header, name)
			if other := slices.Index(header, name+"_2"); other >= 0 {
				at = other
			}
			if at < 0 || cells[at] == "NA" || cells[at] == "" || slices.Contains(places, at) {
				row = append(row, nil)
			} else {
				row = append(row, cells[at])
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// shape is what the interface says of the dimensions of a dataset.
type shape struct {
	order  []string          // their IDs in SDMX: dim1, dim2 … without geography and fixed ones
	unit   string            // the one with the role of units
	labels map[string]string // of its codes
	fixed  []string
	codes  int
	all    []string // all codes but those of fixed dimensions
}

// shape returns the shape of a dataset.
func (s *service) shape(t *testing.T, d dataset) *shape {
	t.Helper()
	type code struct{ Code, Label string }
	var body struct {
		Dimensions []struct {
			ID, Role string
			Values   []code
		}
		Geography []code
	}
	var data struct {
		Meta struct {
			Fixed []struct{ ID string } `json:"fixed_dimensions"`
		}
	}
	if err := json.Unmarshal(s.read(t, fmt.Sprintf("/api/datasets/%d/dimensions", d.ID)), &body); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(s.read(t, fmt.Sprintf("/api/datasets/%d/data?latest=true", d.ID)), &data); err != nil {
		t.Fatal(err)
	}
	sh := &shape{labels: map[string]string{}}
	for _, dim := range body.Dimensions {
		id := sdmx.EscapeName(dim.ID)
		sh.order = append(sh.order, id)
		sh.codes += len(dim.Values)
		for _, v := range dim.Values {
			sh.all = append(sh.all, v.Code)
			if dim.Role == string(stat.RoleUnit) {
				sh.unit, sh.labels[v.Code] = id, v.Label
			}
		}
	}
	for _, v := range body.Geography {
		sh.all = append(sh.all, v.Code)
	}
	if len(body.Geography) > 0 && body.Geography[0].Code != stat.NoArea {
		sh.codes += len(body.Geography)
	}
	for _, dim := range data.Meta.Fixed {
		sh.fixed = append(sh.fixed, sdmx.EscapeName(dim.ID))
		sh.codes++
	}
	return sh
}

// checkSDMX compares what a client read with the JSON.
func (s *service) checkSDMX(t *testing.T, d dataset, table *sdmxTable) {
	t.Helper()
	sh := s.shape(t, d)
	codes := 0
	for _, list := range table.Codes {
		codes += len(list)
	}
	if codes != sh.codes {
		t.Errorf("the structure has %d codes, want %d", codes, sh.codes)
	}
	s.checkRows(t, d, table, sh)
}

// checkRows compares rows with the observations of the JSON.
func (s *service) checkRows(t *testing.T, d dataset, table *sdmxTable, sh *shape) {
	t.Helper()
	want, _ := s.wantPeriods(t, selection{d, ""}, "&iso_periods=true")
	got := cells{}
	for _, row := range table.Rows {
		key, codes := sh.key(table, row)
		if _, twice := got[key]; twice {
			t.Fatalf("%s is there twice", key)
		}
		after := row[len(table.Dimensions)+1:]
		value, ok := after[0].(float64)
		if !ok {
			value = math.NaN()
		}
		marks := after[1:]
		unit := stat.UnitText(text(marks[atUnit]), text(marks[atMultiplier]))
		if unit == "" {
			unit = sh.unitOf(table, codes)
		}
		flags := cmp.Or(text(marks[atFlag]), text(marks[atStatus]))
		got[key] = cell{value, unit, string(stat.JoinFlags(flags, text(marks[atConfidentiality])))}
		if status, _, _ := sdmx.SplitFlags(stat.Flags(got[key].flags)); status != text(marks[atStatus]) {
			t.Errorf("%s: OBS_STATUS is %v beside the flags %s", key, marks[atStatus], got[key].flags)
		}
	}
	compare(t, got, want, equal)
}

// key returns the key of a row as the JSON has it, and its codes by dimension.
func (sh *shape) key(table *sdmxTable, row []any) (key string, codes map[string]string) {
	codes = map[string]string{}
	area := stat.NoArea
	for i, id := range table.Dimensions {
		codes[id] = sdmx.Unescape(text(row[i]))
		if !slices.Contains(sh.order, id) && !slices.Contains(sh.fixed, id) {
			area = codes[id]
		}
	}
	var parts []string
	for _, id := range sh.order {
		parts = append(parts, codes[id])
	}
	return cellKey(append(parts, area, text(row[len(table.Dimensions)]))...), codes
}

// unitOf returns the unit in words of a row whose unit is a dimension.
func (sh *shape) unitOf(table *sdmxTable, codes map[string]string) string {
	if label, ok := sh.labels[codes[sh.unit]]; ok {
		return label
	}
	for _, id := range sh.fixed {
		if names := table.Codes[id][sdmx.EscapeID(codes[id])]; strings.Contains(strings.ToUpper(id), "UNIT") && names != nil {
			return names[0]
		}
	}
	return ""
}

// text returns a text of a client, empty if there is none.
func text(v any) string {
	s, _ := v.(string)
	return s
}

// TestSDMXIsValid checks messages against the schemas of the standard.
func TestSDMXIsValid(t *testing.T) {
	s := serve(t)
	if out := python(t, "validsdmx.py", append([]string{s.url + "/sdmx"}, flowIDs(s.flows(t, maxRSDMX, maxShort))...)...); out != "" {
		t.Error(out)
	}
}

// TestSDMXHistory reads the history of a dataset, and the structures of all its versions, with clients
// of SDMX.
func TestSDMXHistory(t *testing.T) {
	almanac, dir := serve(t).almanac, t.TempDir()
	data, file := filepath.Join(dir, "data"), filepath.Join(dir, "made.csv")
	for _, rows := range []string{"A,DE,2021,2\n", "A,DE,2021,4\nB,DE,2020,5\n", "A,DE,2021,6\nA,DE,2025,7\n"} {
		text := "#almanac-tidy,1\n#source,test,Office\n#dataset,made,Table\n#dimension,item,Item\n#geography,geo,Area\n#code,DE,Germany\nitem,geo,TIME_PERIOD,OBS_VALUE\nA,DE,2015,1\nA,DE,2016,1\nA,DE,2017,1\nA,DE,2018,1\nA,DE,2019,1\n" + rows
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(almanac, "import", "--data", data, file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	url, stop, err := listen(almanac, "--data", data, "--limits", "anonymous=unlimited")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	if out := python(t, "historysdmx.py", url+"/sdmx", "TEST", "made"); out != "" {
		t.Error(out)
	}
}
