package clients

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// sdmxFlows are datasets of different offices that clients of SDMX read. rsdmx takes minutes for
// larger ones. No code of one dimension is also one of another with other meanings, so that cells are
// told apart by their sorted codes.
var sdmxFlows = []string{"sdg_08_10", "HWF_0001", "tgs00026"}

// sdmxSources are their sources.
var sdmxSources = map[string]string{"sdg_08_10": "eurostat", "HWF_0001": "who", "tgs00026": "eurostat"}

// sdmxTable is what a client read of a dataset.
type sdmxTable struct {
	Dimensions []string
	Codes      map[string]int // in the structure, by dimension
	Rows       [][]any        // codes, period, value, status
}

// TestSDMX reads structures and data with clients of SDMX, as their documentation does.
func TestSDMX(t *testing.T) {
	s := serve(t)
	for _, client := range []string{"sdmx1", "pysdmx", "pysdmx_csv", "pysdmx_csv2"} {
		t.Run(client, func(t *testing.T) {
			out := python(t, "readsdmx.py", append([]string{client, s.url + "/sdmx"}, sdmxFlows...)...)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			for i, flow := range sdmxFlows {
				var table sdmxTable
				if err := json.Unmarshal([]byte(lines[i]), &table); err != nil {
					t.Fatal(err)
				}
				codes := 0
				for _, n := range table.Codes {
					codes += n
				}
				s.checkSDMX(t, flow, codes, table.Rows)
			}
		})
	}
}

// TestRSDMX reads structures and data with rsdmx.
func TestRSDMX(t *testing.T) {
	s := serve(t)
	out := run(t, "Rscript", append([]string{"testdata/readsdmx.R", s.url + "/sdmx"}, sdmxFlows...)...)
	for i, part := range strings.Split(strings.Trim(out, "\n"), "\n\n") {
		lines := strings.Split(part, "\n")
		codes, err := strconv.Atoi(lines[0])
		if err != nil {
			t.Fatal(err)
		}
		header := strings.Split(lines[1], "\t")
		time, value, status := slices.Index(header, "obsTime"), slices.Index(header, "obsValue"), slices.Index(header, "OBS_STATUS")
		var rows [][]any
		for _, line := range lines[2:] {
			cells := strings.Split(line, "\t")
			var row []any
			for i, code := range cells[:time] {
				if header[i] != "UNIT_MEASURE" { // an attribute of the series
					row = append(row, code)
				}
			}
			number, err := strconv.ParseFloat(strings.TrimSpace(cells[value]), 64)
			if err != nil && cells[value] != "NA" {
				t.Fatal(err)
			}
			row = append(row, cells[time], any(number))
			if err != nil || math.IsNaN(number) {
				row[len(row)-1] = nil
			}
			mark := ""
			if status >= 0 && cells[status] != "NA" {
				mark = cells[status]
			}
			rows = append(rows, append(row, mark))
		}
		const statusCodes = 20 // rsdmx counts the list of OBS_STATUS too
		s.checkSDMX(t, sdmxFlows[i], codes-statusCodes, rows)
	}
}

// checkSDMX compares rows with the JSON, and the number of codes in the structure with those of the
// dataset.
func (s *service) checkSDMX(t *testing.T, flow string, codes int, rows [][]any) {
	t.Helper()
	all, _ := s.want(t, selection{s.find(t, sdmxSources[flow], flow), ""})
	want := map[string]cell{}
	known := map[string]bool{}
	for key, c := range all {
		parts := strings.Split(key, " | ")
		period := parts[len(parts)-1]
		for i, code := range parts[:len(parts)-1] {
			known[strconv.Itoa(i)+code] = true
		}
		slices.Sort(parts[:len(parts)-1]) // the dimensions have another order
		want[cellKey(append(parts[:len(parts)-1], period)...)] = c
	}
	if codes != len(known) {
		t.Errorf("%s: the structure has %d codes, want %d", flow, codes, len(known))
	}
	if len(rows) != len(want) {
		t.Errorf("%s: %d observations, want %d", flow, len(rows), len(want))
	}
	wrong := 0
	for _, row := range rows {
		n := len(row) - 3
		var key []string
		for _, code := range row[:n] {
			key = append(key, code.(string))
		}
		slices.Sort(key)
		p, err := stat.ParsePeriod(row[n].(string))
		if err != nil {
			t.Fatal(err)
		}
		c, ok := want[cellKey(append(key, p.String())...)]
		number, isNumber := row[n+1].(float64)
		if !isNumber {
			number = math.NaN()
		}
		if !ok || !equal(number, c.value) || row[n+2] != obsStatus(c.flags) {
			if wrong++; wrong < 5 {
				t.Errorf("%s: %v, want %v (known: %v)", flow, row, c, ok)
			}
		}
	}
}

// obsStatus returns the flag in OBS_STATUS.
func obsStatus(flags string) string {
	status, _, _ := sdmx.SplitFlags(stat.Flags(flags))
	return status
}

// TestSDMXIsValid checks messages against the schemas of the standard.
func TestSDMXIsValid(t *testing.T) {
	s := serve(t)
	if out := python(t, "validsdmx.py", append([]string{s.url + "/sdmx"}, sdmxFlows...)...); out != "" {
		t.Error(out)
	}
}
