package portal

import (
	"almanac/internal/encode/json"
	"almanac/internal/request"
	"almanac/internal/store"
)

// leftValue is a code that leaves values if it is chosen.
type leftValue struct {
	Code         string
	Observations int
	periods      store.PeriodSpan // the first and the last with a value; of an area, see coverage

	// Of an area:
	json.BesideLabel
	coverage []store.PeriodSpan
}

// leftValues returns the codes of an axis that leave values.
func leftValues(left *request.Left, axis int) []leftValue {
	codes := left.Dataset.Axes()[axis].Codes
	values := make([]leftValue, 0, len(codes))
	for i := range codes {
		if n := left.Codes[axis][i]; n.Series > 0 {
			values = append(values, leftValue{Code: codes[i].ID, Observations: n.Observations, periods: store.PeriodSpan{First: n.Oldest, Last: n.Newest}})
		}
	}
	return values
}

// leftAreas returns the areas that leave values, with their names and the periods with values.
func (p *page) leftAreas(s *selection, left *request.Left) []leftValue {
	axis := len(left.Dataset.Dimensions)
	areas := leftValues(left, axis)
	names, _ := remember(p.memory, "names of areas "+p.lang.Code+s.edition()+s.api, forEver, func() ([]json.BesideLabel, error) {
		return json.NamesBesideLabels(left.Dataset), nil
	})
	at := 0
	for i, n := range left.Codes[axis] {
		if n.Series > 0 {
			areas[at].BesideLabel, areas[at].coverage = names[i], left.Coverage[i]
			at++
		}
	}
	return areas
}

func byCode(values []leftValue) map[string]*leftValue {
	codes := make(map[string]*leftValue, len(values))
	for i := range values {
		codes[values[i].Code] = &values[i]
	}
	return codes
}
