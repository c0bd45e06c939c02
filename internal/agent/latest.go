package agent

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"

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
	list := slices.Clone(found.list)
	if a.Order == "highest" || a.Order == "lowest" {
		sortByValue(list, a.Order == "highest")
	}
	limit := min(cmp.Or(max(a.Limit, 0), defaultLatest), largestRows)
	r := found.fit(usual, limit, func(limit int) []observation { return list[:min(limit, len(list))] })
	if r.Total > len(r.Rows) {
		r.LeftOut = fmt.Sprintf("showing %d of %d rows; raise limit, or name areas", len(r.Rows), r.Total)
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
