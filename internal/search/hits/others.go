package hits

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/search"
	"almanac/internal/stat"
)

// maxOthers is the number of datasets here for which a hit that is not here has what they select.
const maxOthers = 2

// selectInOthers keeps, of the datasets here that measure the same as what is only offered, those that have all areas of the page. To the
// first of them it adds the parameters that select the measure and what the question names.
func (v *values) selectInOthers(inTime context.Context, page *Page, find func(ids []int) []Hit) {
	var ids []int
	for i := range page.Data {
		for _, o := range page.Data[i].AlsoFrom {
			if !page.Data[i].Here && o.ID != 0 && !slices.Contains(ids, o.ID) {
				ids = append(ids, o.ID)
			}
		}
	}
	if ids == nil {
		return
	}
	found := slices.DeleteFunc(find(ids), func(h Hit) bool {
		return slices.ContainsFunc(h.Coverage, func(c Coverage) bool { return c.Status != search.Known })
	})
	v.addTo(inTime, found)
	for i := range page.Data {
		if h := &page.Data[i]; !h.Here && h.Concept != nil {
			v.selectMeasure(inTime, h, found)
		}
	}
}

// selectMeasure leaves out the datasets here that measure the same as a hit if they are not among some, and adds what the first others select.
// One that lacks the measure is left out, too.
func (v *values) selectMeasure(ctx context.Context, h *Hit, among []Hit) {
	var others []Other
	selected := 0
	for _, o := range h.AlsoFrom {
		if o.ID != 0 {
			at := slices.IndexFunc(among, func(f Hit) bool { return f.ID == o.ID })
			if at < 0 {
				continue
			}
			if selected < maxOthers {
				var ok bool
				if o.Selection, ok = v.selectionOfConcept(ctx, h.Concept.ID, &among[at]); !ok {
					continue
				}
				selected++
			}
		}
		others = append(others, o)
	}
	h.AlsoFrom = others
}

// selectionOfConcept returns the parameters that select what a question names in a dataset, and the series of a concept. ok is false if the
// dataset lacks it.
func (v *values) selectionOfConcept(ctx context.Context, concept string, h *Hit) (selection string, ok bool) {
	vintage, err := v.reader.Store.Vintage(ctx, h.ID)
	if err != nil {
		return "", false // it was removed meanwhile
	}
	usual, err := vintage.Default()
	if err != nil || usual == nil {
		return "", false
	}
	all := defaults.Concepts()
	at := slices.IndexFunc(all, func(c defaults.Concept) bool { return c.ID == concept })
	stated, ok := statedCodes(vintage.Dataset, &all[at])
	if !ok {
		return "", false
	}
	selected := placesSelected(h.Coverage)
	if h.Selection != "" { // it was read in time
		selected, _ = url.ParseQuery(h.Selection) // of this package
	}
	for _, s := range stated {
		if name := "dim" + strconv.Itoa(s.axis+1); s.code != usual.Key[s.axis] && !selected.Has(name) {
			selected.Set(name, vintage.Dataset.Dimensions[s.axis].Codes[s.code].ID)
		}
	}
	return selected.Encode(), true
}

// statedCodes returns the codes with which a dataset measures a concept, as the table of well-known datasets states them. ok is false if the
// table does not have the dataset, or the dataset does not have the codes.
func statedCodes(d *stat.Dataset, c *defaults.Concept) (stated []axisCode, ok bool) {
	at := slices.IndexFunc(c.Series, func(s defaults.Series) bool { return s.Covers(d.Source.ID, d.Code) })
	if at < 0 {
		return nil, false
	}
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		ids := c.Series[at].Codes[strings.ToLower(dim.ID)]
		if ids == nil {
			continue
		}
		code := -1
		for _, id := range ids {
			if code = slices.IndexFunc(dim.Codes, func(c stat.Code) bool { return strings.EqualFold(c.ID, id) }); code >= 0 {
				break
			}
		}
		if code < 0 {
			return nil, false
		}
		stated = append(stated, axisCode{axis, int32(code)})
	}
	return stated, true
}
