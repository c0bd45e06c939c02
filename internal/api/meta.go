package api

import (
	"encoding/binary"
	"slices"
	"strconv"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// card is what every answer on a vintage shows: its identity and metadata,
// rendered once.
type card struct {
	identity []byte // begins every tag of the vintage
	modified modified
	meta     *body
	metaTag  tag
}

type cardKey struct{}

func cardOf(v *store.Vintage) *card {
	return v.Memo(cardKey{}, func() any {
		id := append([]byte("vintage "), encoderVersion...)
		id = strconv.AppendInt(append(id, ' '), int64(v.Dataset.ID), 10)
		id = append(append(append(append(id, ' '), v.Version...), ' '), v.Digest...)
		c := &card{identity: append(id, ' '), modified: modifiedAt(v.Imported), meta: newBody(Meta(v))}
		c.metaTag = c.tag("meta")
		return c
	}).(*card)
}

// tag is the tag of an answer of the vintage that has no parameters.
func (c *card) tag(what string) tag { return tagOf(append(slices.Clip(c.identity), what...)) }

// Meta is the metadata of a vintage as the interface shows it: DatasetMeta, a
// JSON object without nulls.
func Meta(v *store.Vintage) []byte {
	d := v.Dataset
	buf := append(appendName([]byte{'{'}, "id"), strconv.Itoa(d.ID)...)
	buf = appendText(buf, "dataset_code", d.Code)
	buf = appendText(buf, "dataset_name", d.Name)
	buf = appendText(buf, "description", d.Description)
	buf = appendText(buf, "source_name", d.Source.Name)
	buf = appendText(buf, "source_url", d.SourceURL)
	buf = appendText(buf, "metadata_url", d.MetadataURL)
	buf = appendText(buf, "version", v.Version)
	buf = appendDimLabels(buf, d)
	buf = appendText(buf, "oldest_period", v.Oldest.String())
	buf = appendText(buf, "latest_period", v.Newest.String())
	buf = appendText(buf, "last_update", v.LastUpdate.Format(time.DateOnly))
	buf = appendTexts(appendName(buf, "available_geo"), availableGeo(d))
	// What the interface does not name:
	buf = appendText(buf, "source", d.Source.ID)
	buf = appendText(buf, "licence", d.Licence)
	buf = appendText(buf, "attribution", d.Attribution)
	buf = appendText(buf, "unit", d.Unit)
	buf = appendTexts(appendName(buf, "frequencies"), frequencies(v.Periods))
	if v.Default != nil {
		buf = append(appendName(buf, "default_series"), '{')
		buf = append(appendKey(buf, d, v.Default.Key), '}')
	}
	buf = appendFixed(buf, d.Fixed)
	buf = appendPeriodLabels(buf, v)
	if len(d.Undated) > 0 {
		buf = appendTexts(appendName(buf, "undated"), d.Undated)
	}
	return append(buf, '}')
}

// appendDataset appends the dataset object: the metadata that tell what the
// data beside it are.
func appendDataset(buf []byte, v *store.Vintage) []byte {
	d := v.Dataset
	buf = append(appendName(append(buf, '{'), "id"), strconv.Itoa(d.ID)...)
	buf = appendText(buf, "dataset_code", d.Code)
	buf = appendText(buf, "dataset_name", d.Name)
	buf = appendText(buf, "description", d.Description)
	buf = appendText(buf, "source_name", d.Source.Name)
	buf = appendText(buf, "source_url", d.SourceURL)
	buf = appendText(buf, "version", v.Version)
	buf = appendDimLabels(buf, d)
	buf = appendText(buf, "oldest_period", v.Oldest.String())
	buf = appendText(buf, "latest_period", v.Newest.String())
	buf = appendText(buf, "last_update", v.LastUpdate.Format(time.DateOnly))
	buf = appendText(buf, "licence", d.Licence)
	buf = appendText(buf, "attribution", d.Attribution)
	return append(buf, '}')
}

func appendDimLabels(buf []byte, d *stat.Dataset) []byte {
	for i := range d.Dimensions {
		buf = appendText(buf, "dim"+strconv.Itoa(i+1)+"_label", d.Dimensions[i].Label)
	}
	return buf
}

// availableGeo are the areas of a dataset, each once, in the order of the
// geography.
func availableGeo(d *stat.Dataset) []string {
	areas := make([]string, 0, len(d.Geography.Codes))
	seen := make(map[string]bool, len(d.Geography.Codes))
	for _, c := range d.Geography.Codes {
		if !seen[c.Area] {
			seen[c.Area] = true
			areas = append(areas, c.Area)
		}
	}
	return areas
}

// frequencies are the names of the periods' frequencies, coarse to fine.
func frequencies(periods []stat.Period) []string {
	var occurs [stat.Day + 1]bool
	for _, p := range periods {
		occurs[p.Frequency()] = true
	}
	names := []string{}
	for f := stat.Annual; f <= stat.Day; f++ {
		if occurs[f] {
			names = append(names, f.String())
		}
	}
	return names
}

// appendFixed appends the dimensions that left the key, with their one value.
func appendFixed(buf []byte, fixed []stat.FixedDimension) []byte {
	if len(fixed) == 0 {
		return buf
	}
	buf = append(appendName(buf, "fixed_dimensions"), '[')
	for _, f := range fixed {
		buf = append(appendComma(buf), '{')
		buf = appendText(buf, "id", f.ID)
		buf = appendText(buf, "label", f.Label)
		buf = append(appendName(buf, "value"), '{')
		buf = appendText(buf, "code", f.Code.ID)
		buf = appendText(buf, "label", f.Code.Label)
		buf = append(buf, '}', '}')
	}
	return append(buf, ']')
}

// appendPeriodLabels appends the source's texts of periods, in time order.
func appendPeriodLabels(buf []byte, v *store.Vintage) []byte {
	if len(v.Dataset.PeriodLabels) == 0 {
		return buf
	}
	periods := make([]stat.Period, 0, len(v.Dataset.PeriodLabels))
	for p := range v.Dataset.PeriodLabels {
		periods = append(periods, p)
	}
	slices.SortFunc(periods, stat.Period.Compare)
	buf = append(appendName(buf, "period_labels"), '{')
	for _, p := range periods {
		buf = appendString(appendName(buf, p.String()), v.Dataset.PeriodLabels[p])
	}
	return append(buf, '}')
}

// appendQuery appends a query in the form that tags are made of: the same
// bytes for all ways to write it, other bytes for any other.
func appendQuery(buf []byte, q *stat.Query) []byte {
	for _, codes := range q.Select {
		if codes == nil {
			buf = append(buf, '*')
			continue
		}
		buf = binary.AppendUvarint(append(buf, '='), uint64(len(codes)))
		for _, code := range codes {
			buf = binary.AppendUvarint(buf, uint64(code))
		}
	}
	for _, p := range [...]stat.Period{q.From, q.To, q.Within} {
		buf = append(binary.AppendVarint(buf, int64(p.StartDay())), byte(p.Frequency()))
	}
	for _, wanted := range [...]bool{q.Latest, q.Flags} {
		buf = strconv.AppendBool(buf, wanted)
	}
	return buf
}
