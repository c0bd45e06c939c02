package agent

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// block is a series block of the interface, with codes and flags.
type block struct {
	SeriesKey    map[string]string   `json:"series_key"`
	Transform    string              `json:"transform"`
	Countries    []string            `json:"countries"`
	CountryCodes map[string]areaCode `json:"country_codes"`
	Rows         []blockRow          `json:"rows"`
}

type areaCode struct {
	Code string `json:"code"`
	ISO  string `json:"iso"`
}

type blockRow struct {
	Period  string              `json:"period"`
	Label   string              `json:"period_label"`
	Values  map[string]Cell     `json:"values"`
	Unit    string              `json:"unit"`
	Flags   map[string][]string `json:"flags"`
	Notes   map[string]any      `json:"notes"`
	Periods map[string]string   `json:"periods"` // of each area
}

// observation is one value with all that belongs to it.
type observation struct {
	dims         []string // labels of the values, by dimension
	key          []int32  // their positions
	isDerived    bool     // by a transform
	area, code   string
	period, unit string // the unit as the interface has it; empty: none
	value        Cell
	flags        string
	note         string
	end          int64  // of the period, to order by
	ownPeriod    string // the period if the office has another text for it
}

// observations lists the values of blocks, series by series, as the interface orders them.
func observations(blocks []block, of *structure) (list []observation) {
	for _, b := range blocks {
		dims := make([]string, len(of.Dimensions))
		key := make([]int32, len(of.Dimensions))
		for i := range of.Dimensions {
			d := &of.Dimensions[i]
			label, code := d.labelIn(b.SeriesKey)
			key[i] = d.position(code)
			dims[i] = withCode(label, code)
		}
		for _, area := range b.Countries {
			for _, row := range b.Rows {
				value, ok := row.Values[area]
				flags := row.Flags[area]
				if !ok && flags == nil && row.Notes[area] == nil {
					continue
				}
				o := observation{
					dims: dims, key: key, isDerived: b.Transform != "", area: area, code: b.CountryCodes[area].Code, period: row.Period, unit: row.Unit,
					value: value, flags: strings.Join(flags, " "),
				}
				if own := row.Periods[area]; own != "" {
					o.period = own
				}
				o.ownPeriod = o.period
				if p := periodOf(o.period); !p.IsZero() {
					o.end = p.End().Unix()
				}
				if row.Label != "" {
					o.period = row.Label
				}
				if !ok {
					o.value = Cell("null")
				}
				if n := row.Notes[area]; n != nil {
					o.note = noteText(n)
				}
				list = append(list, o)
			}
		}
	}
	return list
}

// labelIn returns the label and the code of the value of a dimension in the key of a series.
func (d *dimension) labelIn(series map[string]string) (label, code string) {
	label = series[d.Dim+"_value"]
	code = cmp.Or(series[d.Dim+"_code"], label)
	if at := d.position(code); at >= 0 && d.Values[at].isNamed {
		label = d.Values[at].Label
	}
	return label, code
}

func noteText(note any) string {
	switch note := note.(type) {
	case string:
		return note
	case []any:
		var texts []string
		for _, one := range note {
			texts = append(texts, noteText(one))
		}
		return strings.Join(texts, "; ")
	}
	text, _ := json.Marshal(note)
	return string(text)
}

// withCode returns a label with its code, unless they are the same.
func withCode(label, code string) string {
	if code == "" || code == label || strings.HasSuffix(label, "["+code+"]") {
		return label
	}
	return label + " [" + code + "]"
}

// Table are rows of values. What is the same in all rows stands beside them.
type Table struct {
	Same    map[string]string `json:"same_in_all_rows" jsonschema:"What holds for every row: dimension or column, and its value [code]."`
	Columns []string          `json:"columns"`
	Rows    [][]Cell          `json:"rows" jsonschema:"One row for each value. null is a missing value; the flags say why."`
	Flags   map[string]string `json:"flag_meanings,omitzero"`
}

// column is a column of a table: its name and the text in a row. Values are no texts.
type column struct {
	name string
	text func(*observation) string
}

// newTable returns the table of values. Columns with one value move beside the rows.
func newTable(list []observation, of *structure) *Table {
	t := &Table{Same: map[string]string{}, Columns: []string{}, Rows: make([][]Cell, len(list))}
	var columns []column
	for i, d := range of.Dimensions {
		columns = append(columns, column{d.Label, func(o *observation) string { return o.dims[i] }})
	}
	columns = append(columns,
		column{"area", func(o *observation) string { return withCode(o.area, o.code) }},
		column{"period", func(o *observation) string { return o.period }},
		column{"value", nil},
		column{unitColumn, of.unitOfRow(list)},
		column{"flags", func(o *observation) string { return o.flags }},
		column{"note", func(o *observation) string { return o.note }},
	)
	for _, col := range columns {
		if col.text == nil {
			t.add(col.name, list, func(o *observation) Cell { return o.value })
			continue
		}
		if isSame(list, col.text) && len(list) > 0 {
			if text := col.text(&list[0]); text != "" {
				t.Same[col.name] = text
			}
			continue
		}
		if col.name == "area" {
			col.text = func(o *observation) string { return o.area }
		}
		t.add(col.name, list, func(o *observation) Cell { return textCell(col.text(o)) })
	}
	if measure := of.measureInText(); measure != "" && len(list) > 0 {
		t.Same[measureColumn] = measure
	}
	t.Flags = of.meaningsOf(list)
	return t
}

// textCells returns texts as cells.
func textCells(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, text := range texts {
		cells[i] = textCell(text)
	}
	return cells
}

// textCell returns a text as a cell.
func textCell(text string) Cell { return Cell(textOf(text)) }

func isSame(list []observation, text func(*observation) string) bool {
	return !slices.ContainsFunc(list, func(o observation) bool { return text(&o) != text(&list[0]) })
}

func (t *Table) add(name string, list []observation, cell func(*observation) Cell) {
	t.Columns = append(t.Columns, name)
	for i := range list {
		t.Rows[i] = append(t.Rows[i], cell(&list[i]))
	}
}

const measureColumn = "measure"

// measureInText returns the measure that only the description of the dataset names; empty if there is none.
func (of *structure) measureInText() string {
	if of.dataset == nil {
		return ""
	}
	return caption.MeasureInDescription(of.dataset)
}

// unexplained ends the meaning of a flag that the data do not explain.
const unexplained = "meaning not given by the office"

// meaningOf says what a flag of the value means: if only the note beside it tells that, the note.
func (o *observation) meaningOf(flag string) string {
	if meaning := flagMeaning(flag); o.note == "" || o.flags != flag || !strings.HasSuffix(meaning, unexplained) {
		return meaning
	}
	return o.note
}

// legendMeaning returns the meaning that the legend of the file gives a flag: all notes of values with the flag have it, and a line beside the
// table states it as that of the flag, such as "c confidential". It is empty if there is none.
func (of *structure) legendMeaning(list []observation, flag string) string {
	if of.dataset == nil {
		return ""
	}
	_, own, isOwn := strings.Cut(flag, ":")
	if !isOwn {
		return ""
	}
	var meanings []string // of the lines of the legend
	for line := range strings.Lines(of.dataset.Description) {
		mark, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		if meaning = strings.TrimLeft(meaning, " =:-–"); strings.Trim(mark, "()[]=:") == strings.Trim(own, "()[]") && meaning != "" {
			meanings = append(meanings, meaning)
		}
	}
	if len(meanings) != 1 {
		return ""
	}
	for i := range list {
		has := slices.Contains(strings.Split(list[i].note, "; "), meanings[0])
		if slices.Contains(strings.Fields(list[i].flags), flag) && !has {
			return ""
		}
	}
	return meanings[0]
}

// flagMeaning says what a flag means. Of most of an office's own ones, such as DST:.., the data do not say it.
func flagMeaning(flag string) string {
	if meaning := stat.FlagName(flag); meaning != "" {
		return meaning
	}
	if office, own, isOwn := strings.Cut(flag, ":"); isOwn && office+":" != stat.ConfPrefix {
		flag = own
	}
	return "flag " + flag + ": " + unexplained
}

// meaningsOf returns the meanings of the flags of values.
func (of *structure) meaningsOf(list []observation) map[string]string {
	found := map[string]string{}
	for i := range list {
		for flag := range strings.FieldsSeq(list[i].flags) {
			meaning := list[i].meaningOf(flag)
			if before, isKnown := found[flag]; isKnown && before != meaning {
				meaning = "flag " + flag + ": see the notes of its values"
			}
			found[flag] = meaning
		}
	}
	for flag, meaning := range found {
		if strings.HasSuffix(meaning, unexplained) {
			found[flag] = cmp.Or(of.legendMeaning(list, flag), meaning)
		}
	}
	if found["E"] != "" && of.dataset != nil {
		found["E"] = defaults.FlagName(of.dataset, "E")
	}
	if len(found) == 0 {
		return nil
	}
	return found
}
