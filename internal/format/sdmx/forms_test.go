package sdmx_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/sdmxjson"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/stat"
)

// The levels that a component of [message] can be on.
const (
	dimension = iota
	perDataSet
	perSeries
	perObservation
)

var levelNames = [...]string{"dimension", "dataSet", "series", "observation"}

// message is a small dataset that every form of SDMX can say: some components are
// dimensions in one message and attributes in another.
type message struct {
	levels map[string]int // of UNIT_MEASURE, UNIT_MULT, BASE_PER
	rows   []map[string]string
}

var (
	allIDs     = []string{"FREQ", "REF_AREA", "MEASURE", "UNIT_MEASURE", "UNIT_MULT", "BASE_PER"}
	codeLabels = map[string]string{"A": "Annual", "FRA": "France", "DEU": "Germany", "GDP": "Gross domestic product", "CPI": "Consumer prices",
		"USD": "US dollar", "PC": "Per cent", "0": "Units", "6": "Millions", "9": "Billions", "2015": "2015 = 100", "_Z": "Not applicable"}
)

func (m *message) level(id string) int { return m.levels[id] } // the others are dimensions

func (m *message) at(level int) (ids []string) {
	for _, id := range allIDs {
		if m.level(id) == level {
			ids = append(ids, id)
		}
	}
	return ids
}

func newMessage(r *rand.Rand) *message {
	m := &message{levels: map[string]int{}}
	for _, id := range allIDs[3:] {
		m.levels[id] = r.IntN(4)
	}
	one := func(codes ...string) string { return codes[r.IntN(len(codes))] }
	whole := map[string]string{"UNIT_MEASURE": one("USD", "PC"), "UNIT_MULT": one("0", "6", "9"), "BASE_PER": one("2015", "_Z")}
	for _, area := range []string{"FRA", "DEU"} {
		for _, measure := range []string{"GDP", "CPI"} {
			series := map[string]string{"UNIT_MEASURE": one("USD", "PC"), "UNIT_MULT": one("0", "6", "9"), "BASE_PER": one("2015", "_Z")}
			for _, year := range []string{"2020", "2021"} {
				row := map[string]string{"FREQ": "A", "REF_AREA": area, "MEASURE": measure, "TIME_PERIOD": year,
					"OBS_VALUE": fmt.Sprint(r.IntN(1000)), "OBS_STATUS": one("A", "P", "E")}
				for _, id := range allIDs[3:] {
					switch m.level(id) {
					case perDataSet:
						row[id] = whole[id]
					case perObservation:
						row[id] = map[string]string{"UNIT_MEASURE": one("USD", "PC"), "UNIT_MULT": one("0", "6", "9"), "BASE_PER": "2015"}[id]
					default:
						row[id] = series[id]
					}
				}
				m.rows = append(m.rows, row)
			}
		}
	}
	return m
}

// want returns the observations as [formattest.Line] writes them, in any order.
func (m *message) want() []string {
	var lines []string
	for _, row := range m.rows {
		key := ""
		for _, id := range m.at(dimension) {
			if id != "REF_AREA" {
				key += row[id] + ","
			}
		}
		unit, multiplier := "", map[string]string{"6": " (millions)", "9": " (billions)"}[row["UNIT_MULT"]]
		if m.level("UNIT_MULT") == dimension {
			multiplier = "" // its label says so
		}
		if m.level("UNIT_MEASURE") != dimension || multiplier != "" {
			unit = fmt.Sprintf(" %q", codeLabels[row["UNIT_MEASURE"]]+multiplier)
		}
		lines = append(lines, fmt.Sprintf("%s%s, %s = %s %q%s", key, row["REF_AREA"], row["TIME_PERIOD"], row["OBS_VALUE"], row["OBS_STATUS"], unit))
	}
	slices.Sort(lines)
	return lines
}

// dictionary returns what the structure message of the office says.
func (m *message) dictionary() *stat.Dictionary {
	d := stat.NewDictionary("oecd")
	s := &stat.Structure{ID: "DF", Time: "TIME_PERIOD", Measure: "OBS_VALUE"}
	for _, id := range allIDs {
		c := stat.Component{ID: id, List: "CL_" + id}
		if m.level(id) == dimension {
			s.Dimensions = append(s.Dimensions, c)
		} else {
			s.Attributes = append(s.Attributes, c)
		}
	}
	s.Attributes = append(s.Attributes, stat.Component{ID: "OBS_STATUS", List: "CL_OBS_STATUS"})
	d.Structures["df"] = s
	list := &stat.CodeList{Name: "CL_UNIT_MEASURE"}
	for _, id := range []string{"USD", "PC"} {
		list.Codes = append(list.Codes, stat.Code{ID: id, Label: codeLabels[id]})
	}
	d.Lists[stat.ListName("CL_UNIT_MEASURE")] = list
	return d
}

// csv writes the message as SDMX-CSV. Cells have an ID, or with both a label as well,
// or with named a column of labels beside them (version 2.0 only).
func (m *message) csv(version int, both, named bool) string {
	var b strings.Builder
	columns := append(append(append(m.at(dimension), "TIME_PERIOD", "OBS_VALUE", "OBS_STATUS"), m.at(perObservation)...), append(m.at(perSeries), m.at(perDataSet)...)...)
	flow := "OECD:DF(1.0)"
	switch {
	case version == 1:
		b.WriteString("DATAFLOW")
	case named:
		b.WriteString("STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION")
	default:
		b.WriteString("STRUCTURE,STRUCTURE_ID,ACTION")
	}
	cell := func(text, label string) {
		switch {
		case named && label != text:
			text += "," + label
		case named:
			text += "," // values and times have no label
		case both && label != text:
			text = `"` + text + ": " + label + `"`
		}
		b.WriteString("," + text)
	}
	for _, id := range columns {
		cell(id, "Name of "+id)
	}
	for _, row := range m.rows {
		switch {
		case version == 1:
			b.WriteString("\n" + flow)
		case named:
			b.WriteString("\ndataflow," + flow + ",Title,I")
		default:
			b.WriteString("\ndataflow," + flow + ",I")
		}
		for _, id := range columns {
			label := codeLabels[row[id]]
			if id == "TIME_PERIOD" || id == "OBS_VALUE" || label == "" || id == "OBS_STATUS" {
				label = row[id]
			}
			cell(row[id], label)
		}
	}
	return b.String() + "\n"
}

// seriesRows returns the rows of each series.
func (m *message) seriesRows() [][]map[string]string {
	var all [][]map[string]string
	for i := 0; i < len(m.rows); i += 2 {
		all = append(all, m.rows[i:i+2])
	}
	return all
}

const messageHead = `<m:%s xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:g="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:s="urn:x">
<m:Header><m:ID>X</m:ID><m:Sender id="OECD"/><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref agencyID="OECD" id="DF" version="1.0"/></c:StructureUsage></m:Structure></m:Header>
<m:DataSet structureRef="S"%s>`

// specificXML writes structure-specific data. Attributes of a series may be those of a
// group instead.
func (m *message) specificXML(grouped bool) string {
	var b strings.Builder
	attributes := func(row map[string]string, ids ...string) string {
		text := ""
		for _, id := range ids {
			text += fmt.Sprintf(" %s=%q", id, row[id])
		}
		return text
	}
	fmt.Fprintf(&b, messageHead, "StructureSpecificData", attributes(m.rows[0], m.at(perDataSet)...))
	if grouped {
		for _, rows := range m.seriesRows() {
			b.WriteString("<s:Group" + attributes(rows[0], append(m.at(dimension), m.at(perSeries)...)...) + "/>\n")
		}
	}
	for _, rows := range m.seriesRows() {
		ids := m.at(dimension)
		if !grouped {
			ids = append(ids, m.at(perSeries)...)
		}
		b.WriteString("<Series" + attributes(rows[0], ids...) + ">")
		for _, row := range rows {
			b.WriteString("<Obs" + attributes(row, append([]string{"TIME_PERIOD", "OBS_VALUE", "OBS_STATUS"}, m.at(perObservation)...)...) + "/>")
		}
		b.WriteString("</Series>\n")
	}
	return b.String() + "</m:DataSet></m:StructureSpecificData>"
}

func (m *message) genericXML() string {
	var b strings.Builder
	fmt.Fprintf(&b, messageHead, "GenericData", "")
	values := func(element string, row map[string]string, ids []string) {
		if len(ids) == 0 {
			return
		}
		b.WriteString("<g:" + element + ">")
		for _, id := range ids {
			fmt.Fprintf(&b, "<g:Value id=%q value=%q/>", id, row[id])
		}
		b.WriteString("</g:" + element + ">")
	}
	values("Attributes", m.rows[0], m.at(perDataSet))
	for _, rows := range m.seriesRows() {
		b.WriteString("<g:Series>")
		values("SeriesKey", rows[0], m.at(dimension))
		values("Attributes", rows[0], m.at(perSeries))
		for _, row := range rows {
			fmt.Fprintf(&b, "<g:Obs><g:ObsDimension value=%q/><g:ObsValue value=%q/>", row["TIME_PERIOD"], row["OBS_VALUE"])
			values("Attributes", row, append([]string{"OBS_STATUS"}, m.at(perObservation)...))
			b.WriteString("</g:Obs>")
		}
		b.WriteString("</g:Series>\n")
	}
	return b.String() + "</m:DataSet></m:GenericData>"
}

// json writes SDMX-JSON 1.0, as OECD's server does, or 2.0; attributes of a series may be
// those of a group of dimensions there.
func (m *message) json(t *testing.T, version int, grouped bool) string {
	lists := map[string][]string{}
	position := func(row map[string]string, id string) int {
		at := slices.Index(lists[id], row[id])
		if at < 0 {
			at = len(lists[id])
			lists[id] = append(lists[id], row[id])
		}
		return at
	}
	positions := func(row map[string]string, ids []string) []any {
		list := []any{}
		for _, id := range ids {
			list = append(list, position(row, id))
		}
		return list
	}
	name := func(list []any) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ":") }
	onObservation := append([]string{"OBS_STATUS"}, m.at(perObservation)...)
	set, series, groups := map[string]any{"structure": 0, "attributes": positions(m.rows[0], m.at(perDataSet))}, map[string]any{}, map[string]any{}
	for _, rows := range m.seriesRows() {
		observations := map[string]any{}
		for _, row := range rows {
			observations[name(positions(row, []string{"TIME_PERIOD"}))] = append([]any{json.Number(row["OBS_VALUE"])}, positions(row, onObservation)...)
		}
		s, key := map[string]any{"observations": observations}, name(positions(rows[0], m.at(dimension)))
		if grouped {
			groups[key+":"] = positions(rows[0], m.at(perSeries))
		} else {
			s["attributes"] = positions(rows[0], m.at(perSeries))
		}
		series[key] = s
	}
	set["series"] = series
	components := func(ids ...string) []any {
		list := []any{}
		for _, id := range ids {
			values := []any{}
			for _, code := range lists[id] {
				value := map[string]any{"id": code}
				if codeLabels[code] != "" && id != "OBS_STATUS" {
					value["name"] = codeLabels[code]
				}
				values = append(values, value)
			}
			list = append(list, map[string]any{"id": id, "name": "Name of " + id, "values": values})
		}
		return list
	}
	attributes := map[string]any{"dataSet": components(m.at(perDataSet)...), "observation": components(onObservation...), "series": components(m.at(perSeries)...)}
	if grouped {
		delete(attributes, "series")
		attributes["dimensionGroup"], set["dimensionGroupAttributes"] = components(m.at(perSeries)...), groups
	}
	structure := map[string]any{
		"links":      []any{map[string]any{"rel": "dataflow", "urn": "urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=OECD:DF(1.0)"}},
		"dimensions": map[string]any{"series": components(m.at(dimension)...), "observation": components("TIME_PERIOD")}, "attributes": attributes,
	}
	data := map[string]any{"structures": []any{structure}, "dataSets": []any{set}}
	if version == 1 {
		data = map[string]any{"structure": structure, "dataSets": []any{set}}
	}
	text, err := json.Marshal(map[string]any{"meta": map[string]any{"sender": map[string]any{"id": "OECD"}}, "data": data})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFormsAgree: all forms of SDMX say the same, whatever the levels of the unit, its
// multiplier and the base period.
func TestFormsAgree(t *testing.T) {
	formats := slices.Concat(sdmxcsv.Formats(), sdmxml.Formats(), sdmxjson.Formats())
	random := rand.New(rand.NewPCG(4, 5))
	for range 60 {
		m := newMessage(random)
		for name, text := range map[string]string{
			"csv 1.0 id": m.csv(1, false, false), "csv 1.0 both": m.csv(1, true, false),
			"csv 2.0 id": m.csv(2, false, false), "csv 2.0 both": m.csv(2, true, false), "csv 2.0 name": m.csv(2, false, true),
			"xml specific": m.specificXML(false), "xml groups": m.specificXML(true), "xml generic": m.genericXML(),
			"json 1.0": m.json(t, 1, false), "json 2.0": m.json(t, 2, false), "json groups": m.json(t, 2, true),
		} {
			s := formattest.Sample{Name: "data", Data: []byte(text)}
			s.In = format.Input{Dictionary: func(string) *stat.Dictionary { return m.dictionary() }}
			tables, err := formattest.Read(t.Context(), formattest.FormatOf(t, formats, s), s)
			if err != nil || len(tables) != 1 {
				t.Fatalf("%s with %s: %d tables, error %v\n%s", name, m.describe(), len(tables), err, text)
			}
			var got []string
			for _, o := range tables[0].All {
				got = append(got, formattest.Line(tables[0].Dataset, o))
			}
			slices.Sort(got)
			if want := m.want(); !slices.Equal(got, want) {
				t.Fatalf("%s with %s: got\n%s\nwant\n%s\n%s", name, m.describe(), strings.Join(got, "\n"), strings.Join(want, "\n"), text)
			}
		}
	}
}

func (m *message) describe() string {
	text := ""
	for _, id := range allIDs[3:] {
		text += id + " a " + levelNames[m.level(id)] + " "
	}
	return text
}
