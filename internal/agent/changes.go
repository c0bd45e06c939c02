package agent

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var changesTool = mcp.Tool{
	Name: "list_changes", Title: "List what changed",
	Description: "Datasets that were updated, the newest first, also since a day or of one source.",
}

type changesArgs struct {
	Since  string   `json:"since,omitzero" jsonschema:"Only what was updated on this day or later." example:"\"2026-11-01\""`
	Source []string `json:"source,omitzero" jsonschema:"Only datasets of these sources." example:"[\"eurostat\"]"`
	Area   string   `json:"area,omitzero" jsonschema:"Only datasets with this area." example:"\"DE\""`
	Limit  int      `json:"limit,omitzero" jsonschema:"Number of datasets, up to 100 (20)."`
}

// Changes lists datasets by their last update.
type Changes struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Total   int        `json:"total"`
	LeftOut string     `json:"left_out,omitzero"`
	Notices []string   `json:"notices,omitzero"`
}

// Numbers of datasets in a list of changes.
const (
	defaultChanges = 20
	largestChanges = 100
)

func (c *call) listChanges(a changesArgs) (*Changes, error) {
	limit := min(cmp.Or(max(a.Limit, 0), defaultChanges), largestChanges)
	query := url.Values{"fields": {"source,code,version,periods"}, "sort": {"-last_update"}, "limit": {strconv.Itoa(limit)}}
	for name, value := range map[string]string{"updated_since": a.Since, "country": a.Area} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if a.Source != nil {
		query["source"] = a.Source
	}
	var page catalogPage
	if err := c.get(&page, "/api/datasets", query); err != nil {
		return nil, advise(err, "call list_changes with a date such as \"2026-11-01\"")
	}
	r := &Changes{Columns: []string{"dataset", "name", "updated", "version", "periods"}, Rows: [][]string{}, Total: page.Pagination.Total, Notices: sentences(page.Notices)}
	for _, d := range page.Data {
		r.Rows = append(r.Rows, []string{d.Source + ":" + d.Code, d.Name, d.Update, d.Version, span(d.Oldest, d.Newest, "")})
	}
	if r.Total > len(r.Rows) {
		r.LeftOut = fmt.Sprintf("showing %d of %d datasets; raise limit, or give since or source", len(r.Rows), r.Total)
	}
	if r.Total == 0 && r.Notices == nil {
		r.Notices = []string{"nothing was updated since then; call list_changes with an earlier day or without since"}
	}
	return r, nil
}
