package agent

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var describeTool = mcp.Tool{
	Name: "describe_dataset", Title: "List the dimensions of a dataset",
	Description: "What a dataset can be filtered by: dimensions with codes, labels and the usual value, areas, periods, licence, version. Only values with data are listed. Of a long dimension only the first values come; ask for it with dimension, and find selects by words.",
}

type describeArgs struct {
	Dataset   string `json:"dataset" jsonschema:"The dataset, as search_datasets names it." example:"\"eurostat:une_rt_a\""`
	Dimension string `json:"dimension,omitzero" jsonschema:"Only this dimension, with up to 300 values: dim2, its id or label; area for the areas." example:"\"age\""`
	Find      string `json:"find,omitzero" jsonschema:"Only values whose code or label has this text." example:"\"female\""`
	Lang      string `json:"lang,omitzero" jsonschema:"Language of labels, if the office has it." example:"\"de\""`
}

// Description says what a dataset can be filtered by.
type Description struct {
	Dataset     string      `json:"dataset"`
	Name        string      `json:"name"`
	Description string      `json:"description,omitzero"`
	Periods     string      `json:"periods"`
	Frequencies []string    `json:"frequencies,omitzero"`
	Dimensions  []Dimension `json:"dimensions"`
	Languages   []string    `json:"languages,omitzero"`
	Citation    string      `json:"citation"`
	Next        string      `json:"next,omitzero"`
}

// Dimension is an axis of a dataset with its values.
type Dimension struct {
	ID      string   `json:"id" jsonschema:"Name of the dimension in the parameter dimensions; area: use the parameter areas."`
	Label   string   `json:"label"`
	Usual   string   `json:"usual,omitzero" jsonschema:"The value that is taken if the dimension is left out."`
	Total   int      `json:"total"`
	Values  []string `json:"values" jsonschema:"Code = label (unit); just the code where it is the label."`
	LeftOut int      `json:"left_out,omitzero" jsonschema:"Number of values that are not shown."`
}

// Values that are listed of each dimension, and of the one that is asked for, and of what is too long to be listed.
const (
	fewValues  = 15
	manyValues = 300
	examples   = 5
)

func (c *call) describeDataset(a describeArgs) (*Description, error) {
	s := &Selection{Dataset: a.Dataset, Lang: a.Lang}
	of, err := c.structure(s)
	if err != nil {
		return nil, err
	}
	a.Dataset = s.Dataset
	query := url.Values{}
	s.setTexts(query)
	var meta metadata
	if err := c.get(&meta, datasetPath(a.Dataset)+"/meta", query); err != nil {
		return nil, adviseDataset(err, a.Dataset)
	}
	d := &Description{
		Dataset: meta.ref(), Name: meta.title(), Description: shorten(meta.Description, 400), Periods: span(of.OldestPeriod, of.LatestPeriod, ""),
		Frequencies: meta.Frequencies, Languages: meta.Languages, Citation: meta.citation(), Dimensions: []Dimension{},
	}
	areas := dimension{Dim: "area", ID: "area", Label: "Areas", Values: of.Geography}
	for _, one := range append(slices.Clone(of.Dimensions), areas) {
		if a.Dimension != "" && !strings.EqualFold(one.Dim, a.Dimension) && !strings.EqualFold(one.ID, a.Dimension) && !strings.EqualFold(one.Label, a.Dimension) {
			continue
		}
		limit := fewValues
		if a.Dimension != "" {
			limit = manyValues
		}
		listed := one.list(a.Find, limit)
		listed.Usual = one.named(meta.Default[one.Dim+"_value"])
		if a.Dimension != "" || a.Find != "" {
			if err := c.addUnits(&listed, &one, of, &meta); err != nil {
				return nil, err
			}
		}
		if meta.Default.isPart(&one) {
			listed.Usual += " only: no total is known"
		}
		d.Dimensions = append(d.Dimensions, listed)
	}
	if len(d.Dimensions) == 0 {
		return nil, errorf("dataset %s has no dimension %q; it has %s, and area", a.Dataset, a.Dimension, of.names())
	}
	for _, listed := range d.Dimensions {
		if listed.LeftOut > 0 {
			d.Next = fmt.Sprintf("for more values call describe_dataset with {\"dataset\": %q, \"dimension\": %q, \"find\": \"…\"}", d.Dataset, listed.ID)
			break
		}
	}
	if a.Find != "" && !slices.ContainsFunc(d.Dimensions, func(d Dimension) bool { return len(d.Values) > 0 }) {
		d.Next = fmt.Sprintf("no value has the text %q; call describe_dataset without find", a.Find)
	}
	return d, nil
}

// addUnits adds their units to the listed values of a dimension, if these are few and have different ones, of which no dimension
// of the dataset speaks.
func (c *call) addUnits(listed *Dimension, d *dimension, of *structure, meta *metadata) error {
	hasUnits := slices.ContainsFunc(of.Dimensions, func(one dimension) bool { return one.Role == "unit" })
	if hasUnits || d.Dim == areaName || len(listed.Values) < 2 || len(listed.Values) > fewValues {
		return nil
	}
	query := url.Values{"codes": {"true"}, "latest_mode": {"area"}, "version": {meta.Version}}
	for _, one := range of.Dimensions {
		if value := meta.Default[one.Dim+"_value"]; value != "" {
			query.Set(one.Dim, value)
		}
	}
	query.Del(d.Dim)
	for _, text := range listed.Values {
		code, _, _ := strings.Cut(text, " = ")
		query.Add(d.Dim, code)
	}
	var answer struct {
		Data []block `json:"data"`
	}
	err := c.get(&answer, datasetPath(meta.ref())+"/data", query)
	if r, ok := errors.AsType[*refused](err); ok && r.status != http.StatusServiceUnavailable || errors.Is(err, errTooLarge) {
		return nil // a description without units is one, too
	}
	if err != nil {
		return err
	}
	units, different := map[string]string{}, map[string]bool{}
	for _, b := range answer.Data {
		if len(b.Rows) > 0 {
			units[b.SeriesKey[d.Dim+"_code"]] = b.Rows[0].Unit
			different[b.Rows[0].Unit] = true
		}
	}
	for i, text := range listed.Values {
		code, _, _ := strings.Cut(text, " = ")
		if unit := units[code]; unit != "" && len(different) > 1 {
			listed.Values[i] += " (" + unit + ")"
		}
	}
	return nil
}

// named returns the label of a value, with the code if the label is not the office's.
func (d *dimension) named(label string) string {
	if at := d.position(label); at >= 0 && d.Values[at].isNamed {
		return withCode(d.Values[at].Label, label)
	}
	return label
}

// list returns at most limit values of a dimension that have a text.
func (d *dimension) list(find string, limit int) Dimension {
	listed := Dimension{ID: d.ID, Label: d.Label, Total: len(d.Values), Values: []string{}}
	find = strings.ToLower(find)
	for _, v := range d.Values {
		if find != "" && !strings.Contains(strings.ToLower(v.Code+" "+v.ISO+" "+v.Label), find) {
			continue
		}
		if len(listed.Values) == limit {
			listed.LeftOut++
			continue
		}
		text := v.Code
		if v.Label != v.Code {
			text += " = " + v.Label
		}
		listed.Values = append(listed.Values, text)
	}
	return listed
}

// shorten cuts a text after a word.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := text[:limit]
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return strings.ToValidUTF8(cut, "") + " …"
}
