package agent

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

var latestTool = mcp.Tool{
	Name: "get_latest", Title: "Read the latest values",
	Description: "The latest value of each area, also as a ranking: order \"highest\" with limit 5 is the top five. Each value has its period. Groups such as the EU are left out unless named in areas.",
}

type latestArgs struct {
	Selection
	Mode   string `json:"mode,omitzero" enum:"observed,last,area" jsonschema:"Which period: observed (default) is the last one with observed values of enough areas, and notices name the areas whose value in it is a forecast; last includes forecasts, area is each area's own last one."`
	Order  string `json:"order,omitzero" enum:"office,highest,lowest" jsonschema:"Order of the rows (office)."`
	Limit  int    `json:"limit,omitzero" range:"1,500" jsonschema:"Number of rows, up to 500 (50)." example:"5"`
	Level  *int   `json:"level,omitzero" jsonschema:"Level of the ranked areas: 0 countries, higher numbers regions (of NUTS: its levels). Without it one is chosen; the result names it and the others." example:"2"`
	Groups bool   `json:"groups,omitzero" jsonschema:"true includes groups of countries and totals."`
}

const defaultLatest = 50

func (c *call) getLatest(a latestArgs) (*DataResult, error) {
	of, err := c.structure(&a.Selection)
	if err != nil {
		return nil, err
	}
	query, usual, err := c.query(&a.Selection, of)
	if err != nil {
		return nil, err
	}
	found, err := c.fetchLatest(&a, of, query)
	if err != nil {
		return nil, err
	}
	// Codes of groups, such as EEA28, look like those of regions.
	if a.isRanking() && a.Areas == nil && !a.Groups || a.Level != nil {
		if found, err = c.keepLevel(&a, found, query); err != nil {
			return nil, err
		}
	}
	if a.isRanking() {
		if err := found.checkUnits(); err != nil {
			return nil, err
		}
	}
	if found.ambiguous, err = c.ambiguous(&a.Selection, found); err != nil {
		return nil, err
	}
	if err := c.addLacking(&a.Selection, found, query, usual); err != nil {
		return nil, err
	}
	found.remarkCoverage(&a, usual)
	found.remarkForecasts(&a)
	list := slices.Clone(found.list)
	if a.isRanking() {
		sortByValue(list, a.Order == "highest")
	}
	limit := cmp.Or(a.Limit, defaultLatest)
	if err := c.addMissing(&a, found, query, list[:min(limit, len(list))]); err != nil {
		return nil, err
	}
	r := found.fit(usual, limit, func(limit int) []observation { return list[:min(limit, len(list))] })
	if r.Total > len(r.Rows) {
		more := "raise limit, or name areas"
		if len(r.Rows) < limit || limit == largestRows {
			more = "name areas for others"
		}
		tied := ""
		if n := tiedAfter(list, len(r.Rows)); a.isRanking() && n > 0 {
			tied = fmt.Sprintf("; %d of the others have the same value as the last one shown", n)
		}
		r.LeftOut = fmt.Sprintf("showing %d of %d rows%s; %s; all of them as CSV: %s", len(r.Rows), r.Total, tied, more, strings.Replace(r.Address, "/data?", "/data.csv?", 1))
	}
	return r, nil
}

// tiedAfter returns how many of a sorted list after the first n have the value of the last of these.
func tiedAfter(list []observation, n int) (tied int) {
	for n > 0 && n+tied < len(list) && string(list[n+tied].value) == string(list[n-1].value) {
		tied++
	}
	return tied
}

// addMissing notes which of the latest values are missing and why, and of named areas, and areas with their own last periods, which
// later ones.
func (c *call) addMissing(a *latestArgs, f *fetched, query url.Values, shown []observation) error {
	f.lacking = append(f.lacking, missing(f.list, namedAbove(f.notices)...)...)
	if a.Areas == nil && a.Mode != string(stat.LatestArea) {
		return nil
	}
	return c.addUnpublished(f, query, shown)
}

func (a *latestArgs) isRanking() bool { return a.Order == "highest" || a.Order == "lowest" }

// fetchLatest reads the latest values, without groups of countries unless these are asked for
// or all that there is.
func (c *call) fetchLatest(a *latestArgs, of *structure, query url.Values) (*fetched, error) {
	query.Set("latest_mode", cmp.Or(a.Mode, "observed"))
	if a.Groups || a.Areas != nil || a.Within != nil && !a.isRanking() {
		return c.fetch(a.Dataset, of, query)
	}
	query.Set("aggregates", "false")
	found, err := c.fetch(a.Dataset, of, query)
	if err == nil && len(found.list) == 0 {
		query.Del("aggregates")
		found, err = c.fetch(a.Dataset, of, query)
	}
	return found, err
}

// sortByValue sorts values, those that are missing last.
func sortByValue(list []observation, isDescending bool) {
	slices.SortStableFunc(list, func(a, b observation) int {
		x, errX := strconv.ParseFloat(string(a.value), 64)
		y, errY := strconv.ParseFloat(string(b.value), 64)
		switch {
		case errX != nil || errY != nil:
			return cmp.Compare(boolRank(errX != nil), boolRank(errY != nil))
		case isDescending:
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	})
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// remarkForecasts notes the areas whose value in the last observed period of the others is a forecast.
func (f *fetched) remarkForecasts(a *latestArgs) {
	if f.of.dataset == nil || a.Mode != "" && a.Mode != string(stat.LatestObserved) {
		return
	}
	var areas []string
	n := 0 // forecasts
	for i := range f.list {
		o := &f.list[i]
		if o.isMissing() || !defaults.IsForecast(f.of.dataset, stat.Flags(o.flags)) {
			continue
		}
		n++
		if name := withCode(o.area, o.code); !slices.Contains(areas, name) {
			areas = append(areas, name)
		}
	}
	switch {
	case n == 0:
	case n == len(f.list):
		f.lacking = append(f.lacking, "no value here is observed: all are forecasts, as their flags say")
	default:
		f.lacking = append(f.lacking, "forecasts, as their flags say, are the values of "+fewNames(areas)+"; with \"mode\": \"area\" each area has its last observed value")
	}
}

// remarkCoverage notes if less than half of the areas of a dataset have values.
func (f *fetched) remarkCoverage(a *latestArgs, usual []chosen) {
	areas := distinct(f.list, func(o *observation) string { return o.area })
	if a.Areas != nil || a.Within != nil || f.level != "" || areas == 0 || 2*areas >= len(f.of.Geography) {
		return
	}
	text := fmt.Sprintf("%d of the %d areas of the dataset have values here", areas, len(f.of.Geography))
	for _, u := range usual {
		if f.meta.Default.isPart(u.dimension) {
			text += fmt.Sprintf("; others have values with other values of %s than %s", u.ID, u.value.Label)
		}
	}
	f.lacking = append(f.lacking, text)
}
