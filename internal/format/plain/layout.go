package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// officeLayout is a layout of an office's or a database's own tables, whose columns
// cannot be told from their cells.
type officeLayout struct {
	headings []string // that the table has
	mapping  string
}

var officeLayouts = []officeLayout{
	// UN Comtrade: periods in four columns, quantities with flags, and bounds of the trade.
	{[]string{"refPeriodId", "reporterCode", "flowCode", "partnerCode", "cmdCode", "primaryValue"}, `dim=typeCode?, freq=freqCode?, geo=reporterCode:reporterDesc?, dim=flowCode:flowDesc?, ` +
		`dim=partnerCode:partnerDesc?, dim=partner2Code?:partner2Desc?, dim=classificationCode?, dim=cmdCode:cmdDesc?, dim=customsCode?:customsDesc?, dim=mosCode?, dim=motCode?:motDesc?, ` +
		`period=period, value=primaryValue, value=cifvalue?, value=fobvalue?, value=qty?, value=altQty?, value=netWgt?, value=grossWgt?, ignore=*`},
}

// findOfficeLayout returns the items of the layout that a table has.
func findOfficeLayout(headings []string) []item {
	for _, known := range officeLayouts {
		if !table.HasHeadings([][]string{headings}, known.headings...) {
			continue
		}
		items, err := parseItems(known.mapping)
		if err != nil {
			panic(err) // the text is a constant
		}
		return items
	}
	return genesisItems(headings)
}

// GENESIS, the database of Destatis and others, writes flat files with columns for each
// variable: 1_Merkmal_Code, 1_Merkmal_Label, 1_Auspraegung_Code, 1_Auspraegung_Label;
// in English 1_variable_code, 1_variable_label, 1_variable_attribute_code and so on. The
// values are in one column "value", or in one for each measure: CODE__label__unit.
var (
	genesisValue   = regexp.MustCompile(`(?i)^([0-9]+)_(auspraegung|variable_attribute)_code$`)
	genesisMeasure = regexp.MustCompile(`^([A-Z][A-Z0-9]*)__+(.+?)__(.+)$`)
)

// genesisAreas are the variables of GENESIS for Germany, its Länder and their parts.
var genesisAreas = []string{"DINSG", "DLAND", "REGBEZ", "KREISE", "GEMEIN", "DLANDU", "DLANDX"}

// genesisItems returns the items of a flat file of GENESIS, nil for another table.
func genesisItems(headings []string) (items []item) {
	has := func(name string) bool {
		return slices.ContainsFunc(headings, func(h string) bool { return strings.EqualFold(h, name) })
	}
	isOld := has("Statistik_Code") && has("Zeit_Code") && has("Zeit")
	isNew := has("statistics_code") && has("time_code") && has("time") && has("value")
	if !isOld && !isNew {
		return nil
	}
	for i, h := range headings {
		lower := strings.ToLower(h)
		switch {
		case genesisValue.MatchString(h):
			items = append(items, item{key: "dim", columns: []string{h, h[:len(h)-4] + headings[min(i+1, len(headings)-1)][len(h)-4:]}, between: ':'})
		case lower == "zeit" || lower == "time":
			items = append(items, item{key: "period", columns: []string{h}})
		case lower == "value_variable_code" && has("value_variable_label"):
			items = append(items, item{key: "dim", columns: []string{h, "value_variable_label"}, between: ':'})
		case lower == "value_unit":
			items = append(items, item{key: "unit", columns: []string{h}})
		case lower == "value_q":
			items = append(items, item{key: "flags", columns: []string{h}})
		case lower == "value" || genesisMeasure.MatchString(h):
			items = append(items, item{key: "value", columns: []string{h}})
		case strings.HasSuffix(lower, "_label") && genesisValue.MatchString(h[:len(h)-5]+"code"), lower == "value_variable_label":
		default:
			items = append(items, item{key: "ignore", columns: []string{h}})
		}
	}
	for _, mark := range []string{"-", "/", ".", "x", "..."} {
		items = append(items, item{key: "missing", columns: []string{mark}})
	}
	return items
}

// genesisPeriods joins the year with the dimension that holds its quarters or months.
func (g *guess) genesisPeriods() {
	for i, it := range g.items {
		c := g.column(it.columns[0])
		if it.key != "dim" || c == nil || !c.isGenesisPart() {
			continue
		}
		for j := range g.items {
			if p := &g.items[j]; p.key == "period" {
				p.columns, p.between = append(p.columns, it.columns[0]), '+'
				g.items[i] = item{key: "ignore", columns: it.columns[1:]}
				return
			}
		}
	}
}

func (c *column) isGenesisPart() bool {
	return c.different > 0 && !c.hasGaps() && !slices.ContainsFunc(c.cells, func(cell string) bool { return !genesisCode.MatchString(cell) })
}

// column returns the column that a mapping names; nil if there is none.
func (g *guess) column(name string) *column {
	for _, c := range g.columns {
		if c.name == name {
			return c
		}
	}
	return nil
}

// nameGenesis names the dimensions of a flat file of GENESIS by its variables, and the
// measures by the parts of their headings.
func nameGenesis(m *table.Mapping, l layout) {
	cell := func(heading string) string {
		for at, h := range l.headings {
			if strings.EqualFold(h, heading) && len(l.body) > 0 && at < len(l.body[0]) {
				return l.body[0][at]
			}
		}
		return ""
	}
	for i, axis := range m.Axes {
		found := genesisValue.FindStringSubmatch(axis.Codes)
		if found == nil {
			continue
		}
		variable := "Merkmal"
		if strings.EqualFold(found[2], "variable_attribute") {
			variable = "variable"
		}
		m.Axes[i].ID, m.Axes[i].Label = cell(found[1]+"_"+variable+"_Code"), cell(found[1]+"_"+variable+"_Label")
		if slices.Contains(genesisAreas, m.Axes[i].ID) {
			m.Axes[i].Role = stat.RoleGeo
		}
		if isSecond := slices.ContainsFunc(m.Axes[:i], func(a table.Axis) bool { return a.ID == m.Axes[i].ID }); isSecond {
			m.Axes[i].ID += "_" + strconv.Itoa(i+1)
		}
	}
	if len(l.headings) > 0 && strings.EqualFold(l.headings[0], "Statistik_Code") {
		m.Numbers = text.Style{Decimal: ','} // of the German files
	}
	for i, v := range m.Values {
		if found := genesisMeasure.FindStringSubmatch(v.Column); found != nil {
			name := strings.Join(strings.FieldsFunc(found[2], func(r rune) bool { return r == '_' || r == ' ' }), " ")
			m.Values[i].Code, m.Values[i].Label, m.Values[i].Unit = found[1], name, strings.ReplaceAll(found[3], "_", " ")
		}
	}
}
