package agent

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var changesTool = mcp.Tool{
	Name: "list_changes", Title: "List what changed",
	Description: "Without dataset: which datasets were updated, the newest first. With dataset: its versions, and value by value what was added, revised or removed between two of them.",
}

type changesArgs struct {
	Dataset string   `json:"dataset,omitzero" jsonschema:"What changed in this dataset." example:"\"eurostat:une_rt_a\""`
	From    string   `json:"from,omitzero" jsonschema:"With dataset: the older version, or a day. Without it: the version before." example:"\"1.0\""`
	To      string   `json:"to,omitzero" jsonschema:"With dataset: the newer version, or a day. Without it: the current one." example:"\"1.1\""`
	Kind    string   `json:"kind,omitzero" enum:"added,revised,removed" jsonschema:"With dataset: only changes of this kind."`
	Since   string   `json:"since,omitzero" jsonschema:"Only what was updated on this day or later: by the office, if its file states when, else by the import." example:"\"2026-11-01\""`
	Source  []string `json:"source,omitzero" jsonschema:"Only datasets of these sources." example:"[\"eurostat\"]"`
	Area    string   `json:"area,omitzero" jsonschema:"Only datasets with this area, or changes of it." example:"\"DE\""`
	Limit   int      `json:"limit,omitzero" range:"1,100" jsonschema:"Number of datasets or changed values, up to 100 (20)."`
}

// Changes lists datasets by their last update, or the changes of one.
type Changes struct {
	Dataset  string   `json:"dataset,omitzero"`
	Name     string   `json:"name,omitzero"`
	Versions []string `json:"versions,omitzero" jsonschema:"The newest first."`
	Between  string   `json:"between,omitzero" jsonschema:"The two versions that are compared."`
	Counts   string   `json:"counts,omitzero"`
	Other    []string `json:"other,omitzero" jsonschema:"What differs besides values: labels, units, metadata, structure."`
	Columns  []string `json:"columns" jsonschema:"updated is the office's time of update if its file states one, else that of the import."`
	Rows     [][]Cell `json:"rows"`
	Total    int      `json:"total"`
	LeftOut  string   `json:"left_out,omitzero"`
	Notices  []string `json:"notices,omitzero"`
	// Flags are those of the rows.
	Flags map[string]string `json:"flag_meanings,omitzero"`
}

// defaultChanges is the number of datasets in a list of changes.
const defaultChanges = 20

func (c *call) listChanges(a changesArgs) (*Changes, error) {
	limit := cmp.Or(a.Limit, defaultChanges)
	if a.Dataset != "" {
		return c.revisions(&a, limit)
	}
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
	r := &Changes{Columns: []string{"dataset", "name", "updated", "version", "periods"}, Rows: [][]Cell{}, Total: page.Pagination.Total, Notices: sentences(page.Notices)}
	for _, d := range page.Data {
		r.Rows = append(r.Rows, textCells(d.Source+":"+d.Code, titleOf(d.Source, d.Code, d.Name), d.Update, d.Version, span(d.Oldest, d.Newest, "")))
	}
	if r.Total > len(r.Rows) {
		r.LeftOut = fmt.Sprintf("showing %d of %d datasets; raise limit, or give since or source", len(r.Rows), r.Total)
	}
	if a.Since != "" {
		r.Notices = append(r.Notices, "since goes by the office's time of update, if its file states one: what the office updated before and was imported since is not listed; list_changes with dataset has the versions by their import")
	}
	if r.Total == 0 && len(page.Notices) == 0 {
		r.Notices = []string{"no dataset fits source and area; call list_changes without one of them"}
		if a.Since != "" {
			r.Notices = []string{"nothing was updated by its office since then; call list_changes with an earlier day, without since, or with dataset for what was imported"}
		}
	}
	return r, nil
}

// version is a version of a dataset.
type version struct {
	Version  string `json:"version"`
	Imported string `json:"imported"`
	Added    int    `json:"added"`
	Revised  int    `json:"revised"`
	Removed  int    `json:"removed"`
	// Changed says what differs from the version before besides values.
	Changed []string `json:"changed"`
}

func (v *version) String() string {
	counts := changeCounts(v.Added, v.Revised, v.Removed)
	if len(v.Changed) > 0 {
		counts += "; also changed: " + strings.Join(v.Changed, ", ")
	}
	return fmt.Sprintf("%s of %s (%s)", v.Version, v.Imported, counts)
}

func changeCounts(added, revised, removed int) string {
	return fmt.Sprintf("%d added, %d revised, %d removed", added, revised, removed)
}

// revisionPage are the members of a page of revisions that are used.
type revisionPage struct {
	Code       string       `json:"dataset_code"`
	Name       string       `json:"dataset_name"`
	From       *version     `json:"from"`
	To         version      `json:"to"`
	Added      int          `json:"added"`
	Revised    int          `json:"revised"`
	Removed    int          `json:"removed"`
	Data       []revision   `json:"data"`
	Changes    []difference `json:"changes"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
	Notices []notice `json:"notices"`
}

// title returns the title of the dataset with a reference that begins with its source.
func (p *revisionPage) title(ref string) string {
	source, _, _ := strings.Cut(ref, ":")
	return titleOf(source, p.Code, p.Name)
}

// revision is an observation that differs between two versions.
type revision struct {
	Kind     string            `json:"kind"`
	Series   map[string]string `json:"series_key"`
	Area     string            `json:"country"`
	AreaCode string            `json:"country_code"`
	Period   string            `json:"period"`
	Old      Cell              `json:"old_value"`
	New      Cell              `json:"new_value"`
	Unit     string            `json:"unit"`
	OldUnit  string            `json:"old_unit"`
	OldFlags []string          `json:"old_flags"`
	NewFlags []string          `json:"new_flags"`
}

// unit returns the unit, and that of the old value before it if it is another one: "Euro → 1000 Euro".
func (r *revision) unit() string {
	if r.OldUnit != "" {
		return r.OldUnit + " → " + r.Unit
	}
	return r.Unit
}

// difference is what differs between two versions besides values.
type difference struct {
	Kind      string `json:"kind"`
	Member    string `json:"member"`
	Dimension string `json:"dimension"`
	Code      string `json:"code"`
	Language  string `json:"lang"`
	Old       string `json:"old"`
	New       string `json:"new"`
}

// text returns a difference as a line: "labels: label of Germany [DE] in Area [geo]: Germany → Deutschland".
func (d *difference) text(of *structure) string {
	text := d.Kind + ": " + d.Member
	dimension, code := of.labelsOf(d.Dimension, d.Code)
	switch {
	case d.Code != "" && d.Dimension != "":
		text += " of " + code + " in " + dimension
	case d.Code+d.Dimension != "":
		text += " of " + code + dimension
	}
	if d.Language != "" {
		text += " (" + d.Language + ")"
	}
	if d.Old == "" && d.New == "" {
		return text
	}
	shared := sharedBeginning(d.Old, d.New)
	return fmt.Sprintf("%s: %s → %s", text, cmp.Or(excerpt(d.Old, shared), "none"), cmp.Or(excerpt(d.New, shared), "none"))
}

// labelsOf returns a dimension and one of its codes with their labels, as far as the current version has them.
func (of *structure) labelsOf(id, code string) (dimension, value string) {
	for i := range of.Dimensions {
		d := &of.Dimensions[i]
		if d.ID != id {
			continue
		}
		if at := d.position(code); at >= 0 {
			code = withCode(d.Values[at].Label, code)
		}
		return withCode(d.Label, id), code
	}
	if at := slices.IndexFunc(of.Geography, func(v codeLabel) bool { return v.Code == code }); at >= 0 {
		code = withCode(of.Geography[at].Label, code)
	}
	return id, code
}

// longestExcerpt is how many characters of a changed text are shown.
const longestExcerpt = 80

// sharedBeginning returns the number of characters that two texts have in common at their
// beginning.
func sharedBeginning(a, b string) (n int) {
	x, y := []rune(a), []rune(b)
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// excerpt returns a text from shortly before the character at which it differs from another, if it
// is long.
func excerpt(text string, differs int) string {
	r := []rune(text)
	if len(r) <= longestExcerpt {
		return text
	}
	start := 0
	if differs > longestExcerpt/2 {
		start = min(differs, len(r)) - longestExcerpt/4
	}
	end := min(start+longestExcerpt, len(r))
	text = string(r[start:end])
	if start > 0 {
		text = "…" + text
	}
	if end < len(r) {
		text += "…"
	}
	return text
}

// listOther lists what differs besides values, at most as many lines as values.
func (p *revisionPage) listOther(limit int, of *structure) (list []string) {
	for i := range p.Changes[:min(limit, len(p.Changes))] {
		list = append(list, p.Changes[i].text(of))
	}
	return list
}

// dayBefore returns the day before a date, at whose end the data are those from which the changes of the date
// itself are counted. Other texts, such as a date with a time, stay as they are.
func dayBefore(text string) string {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return day.AddDate(0, 0, -1).Format(time.DateOnly)
}

// revisions lists the versions of a dataset, and what changed between two of them.
func (c *call) revisions(a *changesArgs, limit int) (*Changes, error) {
	var versions struct {
		Data []version `json:"data"`
	}
	if err := c.getOf(&versions, &a.Dataset, "/versions", url.Values{"limit": {strconv.Itoa(defaultChanges)}}); err != nil {
		return nil, adviseDataset(err, a.Dataset)
	}
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	for name, value := range map[string]string{"from": cmp.Or(a.From, dayBefore(a.Since)), "to": a.To, "kind": a.Kind, "country": a.Area} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var page revisionPage
	err := c.get(&page, datasetPath(a.Dataset)+"/revisions", query)
	isBefore := false // the day is before the first version
	if r, ok := errors.AsType[*refused](err); ok && a.From == "" && a.Since != "" && strings.Contains(r.message, "had no version") && len(versions.Data) > 0 {
		isBefore = true
		query.Set("from", versions.Data[len(versions.Data)-1].Version)
		err = c.get(&page, datasetPath(a.Dataset)+"/revisions", query)
	}
	if err != nil {
		return nil, advise(err, "call list_changes with {\"dataset\": %q} for the versions", a.Dataset)
	}
	r := &Changes{
		Dataset: a.Dataset, Name: page.title(a.Dataset), Columns: []string{"kind", "series", "area", "period", "unit", "old", "new", "old_flags", "new_flags"}, Rows: [][]Cell{},
		Total: page.Pagination.Total, Counts: changeCounts(page.Added, page.Revised, page.Removed), Notices: sentences(page.Notices),
	}
	for i := range versions.Data {
		r.Versions = append(r.Versions, versions.Data[i].String())
	}
	if isBefore && page.From != nil {
		r.Notices = append(r.Notices, "the dataset was not here before that day: the changes are those since version "+page.From.Version+" of "+page.From.Imported)
	}
	if page.From == nil {
		r.Notices = append(r.Notices, "there is no older version; the dataset has not changed since it came here")
		return r, nil
	}
	r.Between = page.From.Version + " and " + page.To.Version
	of, err := c.structure(&Selection{Dataset: a.Dataset})
	if err != nil {
		return nil, err
	}
	r.Other = page.listOther(limit, of)
	r.addRows(page.Data, of)
	if r.Total > len(r.Rows) {
		r.LeftOut = fmt.Sprintf("showing %d of %d changes; raise limit, or give kind or area", len(r.Rows), r.Total)
	}
	return r, nil
}

// addRows adds the changed values of a dataset, and the meanings of their flags.
func (r *Changes) addRows(changed []revision, of *structure) {
	var flagged []observation
	for i := range changed {
		d := &changed[i]
		var labels []string
		for j := range of.Dimensions {
			if label, _ := of.Dimensions[j].labelIn(d.Series); label != "" {
				labels = append(labels, label)
			}
		}
		before, now := strings.Join(d.OldFlags, " "), strings.Join(d.NewFlags, " ")
		flagged = append(flagged, observation{flags: before + " " + now})
		row := textCells(d.Kind, strings.Join(labels, " · "), withCode(d.Area, d.AreaCode), d.Period, d.unit())
		r.Rows = append(r.Rows, append(append(row, d.Old, d.New), textCells(before, now)...))
	}
	r.Flags = of.meaningsOf(flagged)
}
