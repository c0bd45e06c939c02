package statcan

import (
	"context"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// description returns the format of the file beside a table (18100204_MetaData.csv): the title,
// the dimensions, and their members with the member above each. The order of columns is the same
// in English and French, and what comes after the members is not read.
//
//	"Cube Title","Product Id","CANSIM Id",URL,…
//	"Electric power selling price index, monthly",18100204,329-0079,"https://www150.statcan.gc.ca/…",…
//
//	"Dimension ID","Dimension name","Dimension Notes",…
//	2,Index,,
//
//	"Dimension ID","Member Name","Classification Code","Member ID","Parent Member ID",…
//	2,"Electric power selling price over 5000kw",,2,1,,,,
//
//	Symbol Legend
func (l *language) description() format.Format {
	return format.Format{
		Name: l.format + "-metadata",
		Recognise: func(_ string, head []byte) bool {
			rows := table.FirstRows(head, l.separator, 1)
			return len(rows) == 1 && len(rows[0]) > 3 && strings.EqualFold(rows[0][0], l.title) && rows[0][3] == "URL"
		},
		Holds: "the description of a table of Statistics Canada",
		Learn: func(_ context.Context, in format.Input) (*stat.Dictionary, error) { return l.learn(in) },
	}
}

// A member is a code of a dimension, by the numbers of the office. The table has only its name.
type member struct{ name, id, parent string }

// geography matches the name of the dimension that the table calls GEO.
var geography = regexp.MustCompile(`(?i)^(?:nom )?g[eé]ogra`)

func (l *language) learn(in format.Input) (*stat.Dictionary, error) {
	rows, err := table.Open(in, l.separator, &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	cube := &stat.Structure{}
	members := map[string][]member{} // by the number of the dimension
	part := 0                        // of the file: of the cube, its dimensions, their members
	for row, err := range table.All(rows) {
		if err != nil {
			return nil, err
		}
		if len(row) < 4 { // the legend of symbols begins
			if len(cube.Dimensions) > 0 {
				break
			}
			continue
		}
		first, second := strings.TrimSpace(row[0]), strings.TrimSpace(row[1])
		switch {
		case strings.EqualFold(first, l.title), strings.EqualFold(first, l.dimension):
			part++
		case part == 1:
			cube.Title, cube.ID, cube.SourceURL = strings.Clone(first), strings.Clone(second), strings.Clone(row[3])
		case part == 2:
			name := strings.Clone(second)
			if geography.MatchString(name) {
				name = geographyID
			}
			cube.Dimensions = append(cube.Dimensions, stat.Component{ID: name, Label: strings.Clone(second), List: cube.ID + "." + first})
		case part == 3 && len(row) > 4:
			members[first] = append(members[first], member{strings.Clone(second), strings.Clone(row[3]), strings.Clone(row[4])})
		}
	}
	if cube.ID == "" {
		return nil, stat.BadFile(stat.Position{Line: 2}, "the description of a table must begin with its title and number")
	}
	d := stat.NewDictionary("statcan")
	d.Structures[strings.ToLower(cube.ID)] = cube
	for number, all := range members {
		name := cube.ID + "." + number
		d.Lists[stat.ListName(name)] = &stat.CodeList{Name: name, Codes: codesOf(all)}
	}
	return d, nil
}

// codesOf returns the codes of a dimension, which are the names of its members. Of a name that
// several members have, it is unknown which of them a row of the table is about, so it has no place in the
// hierarchy.
func codesOf(members []member) []stat.Code {
	names := map[string]string{} // by number
	count := map[string]int{}    // by name
	for _, m := range members {
		names[m.id] = m.name
		count[m.name]++
	}
	var codes []stat.Code
	listed := map[string]bool{}
	for _, m := range members {
		if listed[m.name] {
			continue
		}
		listed[m.name] = true
		code := stat.Code{ID: m.name, Label: m.name}
		if above := names[m.parent]; above != "" && count[m.name] == 1 && count[above] == 1 {
			code.Parents = []string{above}
		}
		codes = append(codes, code)
	}
	return codes
}
