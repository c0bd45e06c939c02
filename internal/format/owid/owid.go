// Package owid reads the CSV files of Our World in Data: a row for each entity
// and year, and a column for each indicator.
//
//	Entity,Code,Year,Annual CO₂ emissions (per capita)
//	United Kingdom,GBR,1750,1.0019121
//	Africa,,1850,0.000027
//	World,OWID_WRL,1750,0.012
//
// Charts that are downloaded with short names have them in lower case
// (entity, code, year), and the entity is also called country. Years may be
// days (Day, 2020-03-01).
//
// Some indicators go back to before the year 1000, for which there are no
// periods here; these years are counted as undated.
//
// The geography is the code where the entity has one: ISO 3166-1 alpha-3, or
// one that begins with OWID_. Continents and groups have none; their name is
// their code. A file of one indicator is a dataset of that name; several
// are told apart by the dimension INDICATOR.
package owid

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the format of Our World in Data.
func Formats() []format.Format {
	return []format.Format{{Name: "owid", Recognise: recognise, Read: read}}
}

// The headings that the first and the third column may have.
var (
	entities = []string{"entity", "country"}
	times    = []string{"year", "day", "date"}
)

// recognise wants entity, code and time as the first headings, something
// beside them, and codes of Our World in Data in the rows: other offices, too,
// have tables of a country, a code and a year.
func recognise(_ string, head []byte) bool {
	rows := table.FirstRows(head, ',', 2)
	if len(rows) < 2 || len(rows[0]) < 4 || len(rows[1]) != len(rows[0]) {
		return false
	}
	h := rows[0]
	return slices.Contains(entities, strings.ToLower(h[0])) && strings.EqualFold(h[1], "code") &&
		slices.Contains(times, strings.ToLower(h[2])) && isCode(rows[1][1])
}

// isCode reports whether a cell is a code of the list, or empty as that of a
// group is.
func isCode(cell string) bool {
	if cell == "" || strings.HasPrefix(cell, "OWID_") {
		return true
	}
	return len(cell) == 3 && strings.ToUpper(cell) == cell && strings.Trim(cell, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// regions are the headings of a column of text that charts add to compare
// regions by colour: it says of an entity which continent it is on.
var regions = []string{"World regions according to OWID", "World region according to OWID", "Continent", "owid_region"}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	var indicators []string
	return table.Read(ctx, in, table.Mapping{
		Dataset:   stat.Dataset{Source: office.Find("owid")},
		Separator: ',',
		Numbers:   text.Style{Decimal: '.'},
		Header:    1,
		Axes:      []table.Axis{{Codes: "#2", Labels: "#1", ID: "entity", Label: "Entity", Role: stat.RoleGeo}},
		Period:    table.Period{Column: "#3", Read: readTime},
		Ignore:    regions,
		Other: func(heading string) (table.Value, bool) {
			indicators = append(indicators, heading)
			return table.Value{}, true
		},
		Row: func(r *table.Row) table.Verdict {
			if len(indicators) == 1 {
				r.Table.Dataset.Name = indicators[0]
			}
			for _, heading := range regions {
				if region := r.Cell(heading); region != "" {
					r.Note(stat.NoteNotRead, strings.Clone(region))
				}
			}
			return table.Use
		},
	})
}

// readTime reads a year or a day.
func readTime(text string) (stat.Period, error) {
	if year, err := strconv.Atoi(text); err == nil && year < 1000 {
		return stat.Period{}, table.ErrUndated
	}
	return table.ReadPeriod(text)
}
