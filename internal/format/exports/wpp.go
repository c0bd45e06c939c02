package exports

import (
	"math"
	"regexp"
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The World Population Prospects are tables with a column for each indicator, by
// area, variant of the projection and time:
//
//	LocID,Location,VarID,Variant,Time,TFR,NRR,CBR
//	4,Afghanistan,2,Medium,1950-1955,7.45,1.636,50.314
//
// From the revision of 2022 on, more columns describe the area:
//
//	SortOrder,LocID,Notes,ISO3_code,ISO2_code,SDMX_code,LocTypeID,LocTypeName,ParentID,Location,VarID,Variant,Time,TPopulation1Jan
//
// Others have ages (AgeGrp) or sexes (SexID, Sex). Times are years or spans of five
// years. LocID is the M49 number, or the Population Division's own number of a group.
// Columns that only describe the area, and the middle of the period, are not kept.
// Notes are numbers of texts that the file does not contain.
//
// The dataset's code is the file's name without the revision, so the next revision is
// its next version; the dataset's name contains the revision. Only the revision in the
// file's name tells where estimates end and projections begin (estimates). Later
// values get the flag F. If the name has no revision, no value gets it, which is noted.

// NoteProjectionsUnknown notes that projections have no flag.
const NoteProjectionsUnknown = "projections-unknown"

// estimates is the last year of estimates in each revision; spans of five years begin
// and end at the middle of a year.
var estimates = map[string]int{
	"2010": 2010, "2012": 2010, "2015": 2015, "2017": 2015, "2019": 2020, "2022": 2021, "2024": 2023,
}

var revision = regexp.MustCompile(`(?i)(WPP)_?(20\d\d)`)

func mapProspects(in format.Input, _ [][]string) (table.Mapping, error) {
	p := &prospects{}
	name := "World Population Prospects"
	if of := revision.FindStringSubmatch(in.Name); of != nil {
		p.last = estimates[of[2]]
		name += " " + of[2]
	}
	return table.Mapping{
		Dataset: stat.Dataset{Name: name},
		Numbers: table.DecimalPoint,
		Axes: []table.Axis{
			{Codes: "LocID", Labels: "Location", Role: stat.RoleGeo},
			{Codes: "VarID", Labels: "Variant"},
			{Codes: "AgeGrp?", Label: "Age"},
			{Codes: "SexID?", Labels: "Sex?"},
		},
		Period: table.Period{Columns: []string{"Time"}, Read: table.ReadPeriod},
		Ignore: []string{
			"SortOrder", "Notes", "ISO3_code", "ISO2_code", "SDMX_code", "LocTypeID", "LocTypeName", "ParentID", "MidPeriod", "AgeGrpStart", "AgeGrpSpan",
		},
		Other:   indicator,
		Observe: p.observe,
	}, nil
}

// prospects distinguishes estimates from projections.
type prospects struct {
	last    int  // the last year of estimates; 0: not known
	isNoted bool // that it is not known
}

func (p *prospects) observe(r *table.Row, o *stat.Observation) error {
	switch {
	case math.IsNaN(o.Value):
	case p.last == 0 && !p.isNoted:
		p.isNoted = true
		r.Note(NoteProjectionsUnknown, "the file's name has no revision such as WPP2019")
	case p.last != 0 && o.Period.Year() > p.last:
		o.Flags = stat.NewFlags(string(o.Flags), "F")
	}
	return nil
}

// indicator returns the column of values with a heading. Its label and unit are those
// in the revisions' lists of columns, if they have it.
func indicator(heading string) (table.Value, bool) {
	at := slices.IndexFunc(indicators, func(i [3]string) bool { return i[0] == heading })
	if at < 0 {
		return table.Value{}, true
	}
	return table.Value{Label: indicators[at][1], Unit: indicators[at][2]}, true
}

// indicators are headings with label and unit.
var indicators = [][3]string{
	{"TFR", "Total fertility", "live births per woman"},
	{"NRR", "Net reproduction rate", "surviving daughters per woman"},
	{"CBR", "Crude birth rate", "births per 1,000 population"},
	{"Births", "Births", "thousands"},
	{"LEx", "Life expectancy at birth, both sexes", "years"},
	{"LExMale", "Life expectancy at birth, male", "years"},
	{"LExFemale", "Life expectancy at birth, female", "years"},
	{"IMR", "Infant mortality rate", "infant deaths per 1,000 live births"},
	{"Q5", "Under-five mortality", "deaths under age five per 1,000 live births"},
	{"CDR", "Crude death rate", "deaths per 1,000 population"},
	{"Deaths", "Deaths, both sexes", "thousands"},
	{"DeathsMale", "Deaths, male", "thousands"},
	{"DeathsFemale", "Deaths, female", "thousands"},
	{"CNMR", "Net migration rate", "per 1,000 population"},
	{"NetMigrations", "Net number of migrants", "thousands"},
	{"GrowthRate", "Average annual rate of population change", "percent"},
	{"NatIncr", "Rate of natural increase", "per 1,000 population"},
	{"SRB", "Sex ratio at birth", "male births per female birth"},
	{"MAC", "Female mean age of childbearing", "years"},
	{"PopMale", "Population, male", "thousands"},
	{"PopFemale", "Population, female", "thousands"},
	{"PopTotal", "Population, both sexes", "thousands"},
	{"PopDensity", "Population density", "persons per square kilometre"},
}

func isProspects(rows [][]string) bool {
	return table.HasHeadings(rows, "LocID", "Location", "VarID", "Variant", "Time")
}
