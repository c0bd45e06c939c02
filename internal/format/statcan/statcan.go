// Package statcan reads the tables of Statistics Canada as CSV: whole tables (18100204.csv)
// and selections of them ("database loading"), in English and French.
//
//	REF_DATE,GEO,DGUID,Sex,Age group,UOM,UOM_ID,SCALAR_FACTOR,SCALAR_ID,VECTOR,COORDINATE,VALUE,STATUS,SYMBOL,TERMINATED,DECIMALS
//	2023-01,Ontario,2016A000235,Females,15 years and over,Persons,249,thousands,3,v2064327,9.7.1,3.8,A,r,,1
//
// Each column between DGUID and UOM is a dimension, and the names are the codes, because
// the codes of the office are not in the file. The scalar factor is part of the unit's
// text; values are as the office writes them. STATUS and SYMBOL are flags by the office's
// legend: letters from A to F are grades of quality, and r is revised.
//
// Quarters are written as their first months. If all dates are such months and each of
// the four occurs, they are quarters.
package statcan

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// Formats returns the formats of the tables and of their descriptions, which have commas in
// English and semicolons in French.
func Formats() []format.Format {
	var all []format.Format
	for _, l := range languages {
		all = append(all, table.Reader{
			Name: l.format, Source: "statcan", Separator: l.separator, Trim: ending,
			Recognise: l.recognise, Mapping: l.mapping,
		}.Format(), l.description())
	}
	return all
}

// geographyID is the ID of the dimension of areas, in both languages.
const geographyID = "GEO"

// ending matches what follows the number of a table in the names of files.
var ending = regexp.MustCompile(`(?i)(?:_databaseLoadingData|[-_](?:eng|fra))*(?:\.csv)?$`)

// language holds the headings of the files in a language.
type language struct {
	format    string
	separator rune

	date, area, place         string
	unit, unitID              string
	factor, factorID          string
	vector, coordinate, value string
	status                    []string // the files in French have either
	symbol, terminated        string
	decimals                  string

	title, dimension string // first headings of the parts of a description
}

var languages = []language{
	{
		"statcan", ',', "REF_DATE", "GEO", "DGUID", "UOM", "UOM_ID", "SCALAR_FACTOR", "SCALAR_ID",
		"VECTOR", "COORDINATE", "VALUE", []string{"STATUS"}, "SYMBOL", "TERMINATED", "DECIMALS",
		"Cube Title", "Dimension ID",
	},
	{
		"statcan-french", ';', "PÉRIODE DE RÉFÉRENCE", "GÉO", "DGUID", "UNITÉ DE MESURE", "IDENTIFICATEUR D'UNITÉ DE MESURE", "FACTEUR SCALAIRE", "IDENTIFICATEUR SCALAIRE",
		"VECTEUR", "COORDONNÉES", "VALEUR", []string{"STATUT", "STATUS"}, "SYMBOLE", "TERMINÉ", "DÉCIMALES",
		"Titre du cube", "Numéro d'identification de la dimension",
	},
}

func (l *language) recognise(rows [][]string) bool {
	return table.HasHeadings(rows, l.date, l.area, l.unit, l.factor, l.vector, l.coordinate, l.value)
}

func (l *language) mapping(in format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{
		Axes:   []table.Axis{{Labels: l.area, ID: geographyID, Label: "Geography", Role: stat.RoleGeo}},
		Period: table.Period{Columns: []string{l.date}},
		Values: []table.Value{{Column: l.value}},
		Flags:  []table.Flag{{Column: l.symbol + "?", Means: flag}},
		Unit:   l.unit,
		Ignore: []string{l.place, l.unitID, l.factor, l.factorID, l.vector, l.coordinate, l.terminated, l.decimals},
	}
	for _, status := range l.status {
		m.Flags = append(m.Flags, table.Flag{Column: status + "?", Means: flag})
	}
	if l.separator == ',' {
		m.Numbers = table.DecimalPoint
	}
	for _, heading := range l.dimensions(rows[0]) {
		m.Axes = append(m.Axes, table.Axis{Labels: heading, Role: stat.RoleOther})
	}
	m.Row = l.rewrite(rows[0])
	isQuarterly, err := l.isQuarterly(in, rows[0])
	if isQuarterly {
		m.Period.Read = func(text string) (stat.Period, error) {
			p, err := table.ReadPeriod(text)
			return p.In(stat.Quarter), err
		}
	}
	return m, err
}

// dimensions returns the headings between the areas and the units.
func (l *language) dimensions(headings []string) []string {
	from, to := columnOf(headings, l.area), columnOf(headings, l.unit)
	if at := columnOf(headings, l.place); at > from {
		from = at
	}
	if from < 0 || to < from {
		return nil
	}
	return headings[from+1 : to]
}

// rewrite makes the scalar factor a part of the unit: "Persons (thousands)". The fiscal
// year 2016/2017 is a span of years.
func (l *language) rewrite(headings []string) func(r *table.Row) table.Action {
	date, unit, factor := columnOf(headings, l.date), columnOf(headings, l.unit), columnOf(headings, l.factor)
	return func(r *table.Row) table.Action {
		if min(date, unit, factor) < 0 || max(date, unit, factor) >= len(r.Cells) {
			return table.Use
		}
		if fiscalYear.MatchString(r.Cells[date]) {
			r.Cells[date] = strings.Replace(r.Cells[date], "/", "-", 1)
		}
		switch text := strings.TrimSpace(r.Cells[factor]); strings.ToLower(text) {
		case "", "units", "unités":
		default:
			r.Cells[unit] = strings.TrimSpace(r.Cells[unit]+" ("+text) + ")"
		}
		return table.Use
	}
}

var fiscalYear = regexp.MustCompile(`^[0-9]{4}/[0-9]{4}$`)

// isQuarterly reports whether all dates are the first months of quarters, and each of
// the four occurs.
func (l *language) isQuarterly(in format.Input, headings []string) (bool, error) {
	date := columnOf(headings, l.date)
	rows, err := table.Open(in, l.separator, &stat.Report{})
	if err != nil || date < 0 {
		return false, err
	}
	defer rows.Close()
	seen := map[string]bool{}
	isHeading := true
	for row, err := range table.All(rows) {
		if err != nil {
			return false, err
		}
		if isHeading || date >= len(row) {
			isHeading = false
			continue
		}
		year, month, _ := strings.Cut(row[date], "-")
		if len(year) != 4 || !slices.Contains([]string{"01", "04", "07", "10"}, month) {
			return false, nil
		}
		if !seen[month] {
			seen[strings.Clone(month)] = true
		}
	}
	return len(seen) == 4, nil
}

func columnOf(headings []string, name string) int {
	return slices.IndexFunc(headings, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
}

// flags are the marks of the office's legend with their equals in SDMX. A mark without
// one is the office's own.
var flags = map[string]stat.Flags{
	"..": "M", "...": "M", "x": "Q", "p": "P",
	"0s": "", "<LOD": "", "A": "", "B": "", "C": "", "D": "", "E": "", "F": "", "r": "", "t": "",
}

func flag(mark string) (stat.Flags, bool) {
	if mark == "" {
		return "", true
	}
	meaning, known := flags[mark]
	return cmp.Or(meaning, office.OwnFlag("statcan", mark)), known
}
