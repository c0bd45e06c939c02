package agent

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var latestTool = mcp.Tool{
	Name: "get_latest", Title: "Read the latest values",
	Description: "The latest value of each area, also as a ranking: order \"highest\" with limit 5 is the top five. Each value has its period. Groups such as the EU are left out unless named in areas.",
}

type latestArgs struct {
	Selection
	Mode   string `json:"mode,omitzero" enum:"observed,last,area" jsonschema:"Which period: observed (default) is the last well covered one without forecasts, last includes forecasts, area is each area's own last one."`
	Order  string `json:"order,omitzero" enum:"office,highest,lowest" jsonschema:"Order of the rows (office)."`
	Limit  int    `json:"limit,omitzero" jsonschema:"Number of rows, up to 500 (50)." example:"5"`
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
	if found.ambiguous, err = c.ambiguous(&a.Selection, of); err != nil {
		return nil, err
	}
	if err := c.addLacking(&a.Selection, found, query, usual); err != nil {
		return nil, err
	}
	if err := c.remarkRanking(&a, found, usual); err != nil {
		return nil, err
	}
	list := slices.Clone(found.list)
	if a.Order == "highest" || a.Order == "lowest" {
		sortByValue(list, a.Order == "highest")
	}
	limit := min(cmp.Or(max(a.Limit, 0), defaultLatest), largestRows)
	r := found.fit(usual, limit, func(limit int) []observation { return list[:min(limit, len(list))] })
	if r.Total > len(r.Rows) {
		more := "raise limit, or name areas"
		if len(r.Rows) < limit || limit == largestRows {
			more = "name areas for others"
		}
		r.LeftOut = fmt.Sprintf("showing %d of %d rows; %s; all of them as CSV: %s", len(r.Rows), r.Total, more, strings.Replace(r.Address, "/data?", "/data.csv?", 1))
	}
	return r, nil
}

// fetchLatest reads the latest values, without groups of countries unless these are asked for
// or all that there is.
func (c *call) fetchLatest(a *latestArgs, of *structure, query url.Values) (*fetched, error) {
	query.Set("latest_mode", cmp.Or(a.Mode, "observed"))
	if a.Groups || a.Areas != nil || a.Within != "" {
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

// remarkRanking leaves the whole out of a ranking of its parts, and notes what a ranking does not
// compare.
func (c *call) remarkRanking(a *latestArgs, f *fetched, usual []chosen) error {
	isRanking := a.Order == "highest" || a.Order == "lowest"
	areas := distinct(f.list, func(o *observation) string { return o.area })
	if a.Areas == nil && a.Within == "" && areas > 0 && 2*areas < len(f.of.Geography) {
		text := fmt.Sprintf("%d of the %d areas of the dataset have values here", areas, len(f.of.Geography))
		for _, u := range usual {
			if f.meta.Default.isPart(u.dimension) {
				text += fmt.Sprintf("; others have values with other values of %s than %s", u.ID, u.value.Label)
			}
		}
		f.lacking = append(f.lacking, text)
	}
	if !isRanking || a.Within == "" {
		return nil
	}
	whole, err := c.inDataset(a.Within, f.of)
	if err != nil {
		return err
	}
	if whole != nil && areas > 1 && f.lastOf(whole) != nil {
		f.list = slices.DeleteFunc(f.list, func(o observation) bool { return o.code == whole.Code })
		f.lacking = append(f.lacking, withCode(whole.Label, whole.Code)+" itself is left out of the ranking of its parts")
	}
	for _, o := range f.list {
		for _, part := range f.list {
			if o.code != "" && len(part.code) > len(o.code) && strings.HasPrefix(part.code, o.code) {
				f.lacking = append(f.lacking, fmt.Sprintf("the rows are areas of several levels: %s contains %s; compare areas with codes of one length", withCode(o.area, o.code), withCode(part.area, part.code)))
				return nil
			}
		}
	}
	return nil
}
