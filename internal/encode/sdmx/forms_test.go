package sdmx_test

import (
	"bytes"
	"cmp"
	stdcsv "encoding/csv"
	stdjson "encoding/json"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/encode"
	"almanac/internal/encode/encodetest"
	"almanac/internal/encode/sdmx"
	"almanac/internal/encode/sdmx/csv"
	"almanac/internal/encode/sdmx/json"
	"almanac/internal/encode/sdmx/ml"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// with returns a form that writes messages with options.
func with(write func(io.Writer, *sdmx.Message) error, o sdmx.MessageOptions) func(io.Writer, *encode.Table, encode.Options) error {
	return func(w io.Writer, t *encode.Table, _ encode.Options) error {
		m := sdmx.NewMessage(t)
		m.MessageOptions = o
		return write(w, m)
	}
}

// Every syntax has the cells of the JSON of the interface.
func TestForms(t *testing.T) {
	var forms []encodetest.Form
	for _, f := range []struct {
		name  string
		write func(io.Writer, *sdmx.Message) error
		o     sdmx.MessageOptions
		read  func(*testing.T, []byte, *encode.Table) []encodetest.Cell
	}{
		{"SDMX-CSV 2.0", csv.Write, sdmx.MessageOptions{IsV3: true}, readCSV},
		{"SDMX-JSON 2.0", json.Write, sdmx.MessageOptions{IsV3: true}, readJSON},
		{"SDMX-JSON 1.0, flat", json.Write, sdmx.MessageOptions{Flat: true}, readJSON},
		{"structure-specific", ml.WriteSpecific, sdmx.MessageOptions{}, readSpecific},
		{"structure-specific 3.0", ml.WriteSpecific, sdmx.MessageOptions{IsV3: true}, readSpecific},
		{"generic", ml.WriteGeneric, sdmx.MessageOptions{}, readGeneric},
	} {
		forms = append(forms, encodetest.Form{Name: f.name, Write: with(f.write, f.o), Read: f.read, LacksLabels: true, LacksAreas: true, FoldsUnits: true})
	}
	encodetest.Run(t, stattest.DataDir(t), forms...)
}

// cell returns the cell of an observation whose components get names.
func cell(t *testing.T, f *sdmx.Flow, get func(id string) string) encodetest.Cell {
	d := f.Dataset
	c := encodetest.Cell{Codes: make([]string, len(d.Axes())), Period: get("TIME_PERIOD"), Note: get(f.Comment), Unit: stat.UnitText(get(f.Unit), get(f.Multiplier))}
	for i := range f.Dimensions {
		dim := &f.Dimensions[i]
		code := sdmx.Unescape(get(dim.ID))
		if dim.Axis >= 0 {
			c.Codes[dim.Axis] = code
		}
		if dim.Role == stat.RoleUnit && c.Unit == "" {
			for _, known := range dim.Codes {
				if known.ID == code {
					c.Unit = known.Label
				}
			}
		}
	}
	if d.HasNoArea() {
		c.Codes = c.Codes[:len(d.Dimensions)]
	}
	flags := []string{cmp.Or(get(f.Flag), get(f.Status))}
	for code := range strings.FieldsSeq(get(f.Confidentiality)) {
		flags = append(flags, stat.ConfPrefix+code)
	}
	c.Flags = strings.Join(flags, " ")
	var err error
	if c.Value, err = strconv.ParseFloat(cmp.Or(get("OBS_VALUE"), "NaN"), 64); err != nil {
		t.Fatal(err)
	}
	return c
}

func readCSV(t *testing.T, file []byte, table *encode.Table) (cells []encodetest.Cell) {
	rows, err := stdcsv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		if _, twice := at[name]; twice {
			t.Errorf("two columns are called %s", name)
		}
		at[name] = i
	}
	f := sdmx.FlowFor(table.Vintage)
	for _, row := range rows[1:] {
		cells = append(cells, cell(t, f, func(id string) string { return row[at[id]] }))
	}
	return cells
}

// message is a data message of SDMX-JSON 1.0 or 2.0.
type message struct {
	Data struct {
		DataSets []struct {
			Series map[string]struct {
				Attributes   []*int
				Observations map[string][]any
			}
			Observations map[string][]any
		}
		Structure  *structure
		Structures []*structure
	}
}

type structure struct {
	Dimensions, Attributes struct{ Series, Observation []component }
}

type component struct {
	ID     string
	Values []struct {
		ID, Name string
		Value    string
	}
}

func (c *component) at(index any) string {
	v := c.Values[int(index.(float64))]
	return cmp.Or(v.ID, v.Value, v.Name)
}

func readJSON(t *testing.T, file []byte, table *encode.Table) (cells []encodetest.Cell) {
	var m message
	if err := stdjson.Unmarshal(file, &m); err != nil {
		t.Fatalf("%v in %.2000s", err, file)
	}
	s := m.Data.Structure
	if s == nil {
		s = m.Data.Structures[0]
	}
	f := sdmx.FlowFor(table.Vintage)
	series := m.Data.DataSets[0].Series
	read := func(values map[string]string, key string, obs []any) {
		for i, index := range strings.Split(key, ":") {
			n, _ := strconv.ParseFloat(index, 64)
			values[s.Dimensions.Observation[i].ID] = s.Dimensions.Observation[i].at(n)
		}
		if number, ok := obs[0].(float64); ok {
			values["OBS_VALUE"] = strconv.FormatFloat(number, 'g', -1, 64)
		}
		for i, index := range obs[1:] {
			if index != nil {
				values[s.Attributes.Observation[i].ID] = s.Attributes.Observation[i].at(index)
			}
		}
		cells = append(cells, cell(t, f, func(id string) string { return values[id] }))
	}
	for key, o := range series {
		for obsKey, obs := range o.Observations {
			values := map[string]string{}
			for i, index := range strings.Split(key, ":") {
				if i < len(s.Dimensions.Series) {
					n, _ := strconv.ParseFloat(index, 64)
					values[s.Dimensions.Series[i].ID] = s.Dimensions.Series[i].at(n)
				}
			}
			for i, index := range o.Attributes {
				if index != nil {
					values[s.Attributes.Series[i].ID] = s.Attributes.Series[i].at(float64(*index))
				}
			}
			read(values, obsKey, obs)
		}
	}
	for key, obs := range m.Data.DataSets[0].Observations {
		read(map[string]string{}, key, obs)
	}
	return cells
}

func readSpecific(t *testing.T, file []byte, table *encode.Table) (cells []encodetest.Cell) {
	var m struct {
		Series []struct {
			Attrs []xml.Attr `xml:",any,attr"`
			Obs   []struct {
				Attrs []xml.Attr `xml:",any,attr"`
			}
		} `xml:"DataSet>Series"`
	}
	if err := xml.Unmarshal(file, &m); err != nil {
		t.Fatal(err)
	}
	f := sdmx.FlowFor(table.Vintage)
	for _, s := range m.Series {
		for _, o := range s.Obs {
			values := map[string]string{}
			for _, a := range append(s.Attrs[:len(s.Attrs):len(s.Attrs)], o.Attrs...) {
				values[a.Name.Local] = a.Value
			}
			cells = append(cells, cell(t, f, func(id string) string { return values[id] }))
		}
	}
	return cells
}

func readGeneric(t *testing.T, file []byte, table *encode.Table) (cells []encodetest.Cell) {
	type value struct {
		ID    string `xml:"id,attr"`
		Value string `xml:"value,attr"`
	}
	var m struct {
		Series []struct {
			Key        []value `xml:"SeriesKey>Value"`
			Attributes []value `xml:"Attributes>Value"`
			Obs        []struct {
				Time       value   `xml:"ObsDimension"`
				Number     value   `xml:"ObsValue"`
				Attributes []value `xml:"Attributes>Value"`
			}
		} `xml:"DataSet>Series"`
	}
	if err := xml.Unmarshal(file, &m); err != nil {
		t.Fatal(err)
	}
	f := sdmx.FlowFor(table.Vintage)
	for _, s := range m.Series {
		for _, o := range s.Obs {
			values := map[string]string{"TIME_PERIOD": o.Time.Value, "OBS_VALUE": o.Number.Value}
			for _, list := range [][]value{s.Key, s.Attributes, o.Attributes} {
				for _, v := range list {
					values[v.ID] = v.Value
				}
			}
			cells = append(cells, cell(t, f, func(id string) string { return values[id] }))
		}
	}
	return cells
}
