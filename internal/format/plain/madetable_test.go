package plain_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// madeTable is a random table in a form that people use, with what it says.
type madeTable struct {
	*rand.Rand
	form      string
	rows      [][]string
	want      map[string]string // the values by the labels and the period
	constants []string          // headings that may or may not be a dimension
	isClear   bool              // it has one reading
	isDouble  bool              // it holds two tables
	values    int               // the kind of its values
}

var (
	madeAreas    = []string{"Nordland", "Südmark", "Westfold", "Ostwald", "Mittelau"}
	madeNumbers  = []string{"1511", "1512", "1990", "084", "2001"}
	madeSexes    = []string{"Male", "Female"}
	madeSectors  = []string{"Mining", "Trade", "Farming"}
	madeMeasures = []string{"Births", "Deaths", "Exports", "Imports"}
)

// makeTable returns a table of a random form.
func makeTable(seed uint64) *madeTable {
	m := &madeTable{Rand: rand.New(rand.NewPCG(seed, 15)), want: map[string]string{}, isClear: true}
	if m.values = m.IntN(5); m.values == 1 || m.values == 2 {
		m.isClear = false
	}
	forms := []struct {
		name string
		make func()
	}{{"long", m.long}, {"wide", m.wide}, {"series", m.series}, {"crossed", m.crossed}, {"sections", m.sections}, {"no period", m.undated}}
	form := forms[m.IntN(len(forms))]
	m.form = form.name
	form.make()
	m.double()
	m.surround()
	return m
}

// value adds a random number to what is expected, and returns its cell.
func (m *madeTable) value(period string, labels ...string) string {
	cell := ""
	switch kind := m.values; {
	case m.IntN(12) == 0:
		return []string{"", "..", ":", "n/a"}[m.IntN(4)]
	case kind == 0:
		cell = strconv.Itoa(10_000 + m.IntN(900_000))
	case kind == 1: // like years
		cell = strconv.Itoa(1950 + m.IntN(100))
	case kind == 2: // like parts of a year or codes
		cell = strconv.Itoa(1 + m.IntN(12))
	case kind == 3:
		cell = strconv.FormatFloat(float64(m.IntN(100_000)+1)/100, 'f', 2, 64)
	default:
		cell = strconv.Itoa(m.IntN(100_000))
	}
	m.want[madeKey(period, labels)] = cell
	return cell
}

func madeKey(period string, labels []string) string {
	sorted := slices.Clone(labels)
	slices.Sort(sorted)
	return strings.Join(slices.DeleteFunc(sorted, func(s string) bool { return s == "" }), "|") + " @ " + period
}

// periods returns cells of consecutive periods, with what they are.
func (m *madeTable) periods(n int) (cells, written []string) {
	kind := m.IntN(4)
	for i := range n {
		year := 2001 + i
		switch kind {
		case 2:
			cells, written = append(cells, fmt.Sprintf("%d-Q%d", 2020+i/4, i%4+1)), append(written, fmt.Sprintf("Q%d/%d", i%4+1, 2020+i/4))
		case 3:
			cells, written = append(cells, fmt.Sprintf("%d-%02d", 2020+i/12, i%12+1)), append(written, fmt.Sprintf("%02d/%d", i%12+1, 2020+i/12))
		default:
			cells, written = append(cells, strconv.Itoa(year)), append(written, strconv.Itoa(year))
		}
	}
	return cells, written
}

// areas returns the heading and the cells of the areas.
func (m *madeTable) areas() (heading string, areas []string) {
	n := 1 + m.IntN(5)
	if n == 1 {
		m.isClear = false
	}
	if m.IntN(5) == 0 {
		m.isClear = false
		return []string{"code", "region", "area"}[m.IntN(3)], madeNumbers[:n]
	}
	return []string{"country", "Region", "area", "geo"}[m.IntN(4)], madeAreas[:n]
}

func (m *madeTable) oneOf(texts ...string) string { return texts[m.IntN(len(texts))] }

// long makes a table with a row for each number, or for each area and period.
func (m *madeTable) long() {
	geo, areas := m.areas()
	cells, written := m.periods(2 + m.IntN(5))
	if m.IntN(3) == 0 { // years before 1000
		m.isClear = false
		cells[0], written[0] = "1", "0001"
		if m.IntN(2) == 0 {
			cells[1], written[1] = "730", "0730"
		}
	}
	sexes, sectors := []string{""}, []string{""}
	head := []string{geo}
	if m.IntN(2) == 0 {
		sexes, head = madeSexes, append(head, "sex")
	}
	if m.IntN(3) == 0 {
		sectors, head = madeSectors, append(head, "sector")
	}
	head = append(head, m.oneOf("year", "Year", "period", "TIME_PERIOD"))
	measures := []string{m.oneOf("value", "pop", "OBS_VALUE")}
	m.constants = measures
	if m.IntN(3) == 0 {
		measures, m.constants = madeMeasures[:2+m.IntN(2)], nil
	}
	m.rows = append(m.rows, append(head, measures...))
	for _, area := range areas {
		for _, sex := range sexes {
			for _, sector := range sectors {
				for i, cell := range cells {
					row := append(dropEmpty(area, sex, sector), cell)
					for _, measure := range measures {
						label := measure
						if len(measures) == 1 {
							label = ""
						}
						row = append(row, m.value(written[i], area, sex, sector, label))
					}
					m.rows = append(m.rows, row)
				}
			}
		}
	}
	if m.IntN(4) == 0 {
		m.Shuffle(len(m.rows)-1, func(i, j int) { m.rows[i+1], m.rows[j+1] = m.rows[j+1], m.rows[i+1] })
	}
}

func dropEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// wide makes a table with a column for each period.
func (m *madeTable) wide() {
	geo, areas := m.areas()
	cells, written := m.periods(2 + m.IntN(6))
	sexes, head := []string{""}, []string{geo}
	if m.IntN(2) == 0 {
		sexes, head = madeSexes, append(head, "sex")
	}
	m.rows = append(m.rows, append(head, cells...))
	for _, area := range areas {
		for _, sex := range sexes {
			row := dropEmpty(area, sex)
			for _, w := range written {
				row = append(row, m.value(w, area, sex))
			}
			m.rows = append(m.rows, row)
		}
	}
	switch m.IntN(5) {
	case 0: // another table below
		m.isDouble = true
		others, _ := m.periods(len(cells))
		for i := range others {
			others[i] = strconv.Itoa(1981 + i)
		}
		m.rows = append(m.rows, slices.Concat(head, others))
		row := dropEmpty("Elsewhere", sexes[0])
		for range others {
			row = append(row, "5")
		}
		m.rows = append(m.rows, row)
	case 1: // the same headings again
		m.isClear = false
		m.rows = slices.Insert(m.rows, 1+m.IntN(len(m.rows)-1), m.rows[0])
	}
}

// series makes a table with a column for each series and rows that describe them.
func (m *madeTable) series() {
	cells, written := m.periods(3 + m.IntN(6))
	titles := slices.Clone(madeMeasures[:2+m.IntN(3)])
	m.rows = append(m.rows, append([]string{m.oneOf("Title", "Date", "Series")}, titles...))
	for _, name := range [][]string{{"Units", "Number"}, {"Frequency", "Any"}, {"Decimals", "1"}, {"Start", "1950"}} {
		if m.IntN(3) == 0 {
			row := []string{name[0]}
			for range titles {
				row = append(row, name[1])
			}
			m.rows = append(m.rows, row)
			m.isClear = m.isClear && name[0] != "Start"
		}
	}
	if m.IntN(4) == 0 { // a total or an early year first
		m.isClear = false
		row := []string{m.oneOf("Total", "730", "All years", "")}
		for range titles {
			row = append(row, strconv.Itoa(m.IntN(5000)))
		}
		m.rows = append(m.rows, row)
		m.want["(never)"] = "the first row has no period that can be read"
	}
	for i, cell := range cells {
		row := []string{cell}
		for _, title := range titles {
			row = append(row, m.value(written[i], title))
		}
		m.rows = append(m.rows, row)
	}
}

// crossed makes a table with two heading rows.
func (m *madeTable) crossed() {
	geo, areas := m.areas()
	cells, written := m.periods(2 + m.IntN(3))
	upper, lower := []string{""}, []string{geo}
	for _, sex := range madeSexes {
		for i, cell := range cells {
			lower = append(lower, cell)
			if i == 0 || m.values == 4 {
				upper = append(upper, sex)
			} else {
				upper = append(upper, "")
			}
		}
	}
	m.rows = [][]string{upper, lower}
	for _, area := range areas {
		row := []string{area}
		for _, sex := range madeSexes {
			for _, w := range written {
				row = append(row, m.value(w, area, sex))
			}
		}
		m.rows = append(m.rows, row)
	}
}

// sections makes a table with the areas of each sector below its heading.
func (m *madeTable) sections() {
	geo, areas := m.areas()
	m.isClear = false
	cells, written := m.periods(2 + m.IntN(4))
	m.rows = append(m.rows, append([]string{geo}, cells...))
	for _, sector := range madeSectors {
		m.rows = append(m.rows, append([]string{sector}, make([]string, len(cells))...))
		for _, area := range areas {
			row := []string{area}
			for _, w := range written {
				row = append(row, m.value(w, area, sector))
			}
			m.rows = append(m.rows, row)
		}
	}
}

// undated makes a table without any period.
func (m *madeTable) undated() {
	geo, areas := m.areas()
	m.isClear = false
	m.rows = append(m.rows, append([]string{geo}, madeMeasures[:2]...))
	for _, area := range areas {
		m.rows = append(m.rows, []string{area, m.value("-", area, madeMeasures[0]), m.value("-", area, madeMeasures[1])})
	}
	m.want["(never)"] = "no period"
}

// double adds another table with headings and measures of its own below the first.
func (m *madeTable) double() {
	width := len(m.rows[len(m.rows)-1])
	if m.form == "wide" || m.form == "no period" || width < 3 || m.IntN(10) > 0 {
		return
	}
	m.isDouble = true
	if m.IntN(2) == 0 {
		m.rows = append(m.rows, make([]string, width))
	}
	head := slices.Clone(m.rows[0])
	if m.form == "crossed" {
		m.rows, head = append(m.rows, head), slices.Clone(m.rows[1])
	}
	last := slices.Clone(m.rows[len(m.rows)-1])
	for _, row := range m.rows {
		if filled := slices.DeleteFunc(slices.Clone(row), func(c string) bool { return c == "" }); len(filled) == width {
			last = slices.Clone(row)
		}
	}
	if last[0] != "" && m.form != "series" {
		last[0] = "Elsewhere"
	} else {
		last[0] = strconv.Itoa(1981)
	}
	head[width-1] = m.oneOf("Marriages", "1989", "Total")
	m.rows = append(m.rows, head, last)
}

// surround adds an empty column, lines above the table and lines below it.
func (m *madeTable) surround() {
	width := len(m.rows[len(m.rows)-1])
	if m.IntN(8) == 0 {
		for i := range m.rows {
			m.rows[i] = append(m.rows[i], "")
		}
		width++
	}
	if m.IntN(4) == 0 {
		above := [][]string{append([]string{"Some statistics of our office"}, make([]string, width-1)...), make([]string, width)}
		m.rows = append(above[:1+m.IntN(2)], m.rows...)
	}
	if m.IntN(4) == 0 {
		m.rows = append(m.rows, make([]string, width), append([]string{"Source: our office"}, make([]string, width-1)...))
	}
}
