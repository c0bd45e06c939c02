package json

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Meta returns the metadata of a vintage: the schema DatasetMeta, without nulls.
func Meta(v *store.Vintage) ([]byte, error) {
	d := v.Dataset
	series, err := v.Default()
	if err != nil {
		return nil, err
	}
	buf := appendTitle([]byte{'{'}, d)
	buf = AppendText(buf, "metadata_url", d.MetadataURL)
	buf = appendSpan(buf, v)
	if !d.Updated.IsZero() {
		buf = AppendText(buf, "updated_by_source", v.LastUpdate.Format(time.DateOnly))
	}
	buf = AppendText(buf, "imported", v.Imported.UTC().Format(time.RFC3339))
	buf = AppendTexts(AppendName(buf, "available_geo"), d.Areas())
	buf = AppendText(buf, "source", d.Source.ID)
	buf = AppendLicence(buf, LicenceOf(v), v.AllowsBulk())
	buf = AppendText(buf, "attribution", d.Attribution)
	buf = AppendText(buf, "unit", d.Unit)
	if languages := v.Languages(); languages != nil {
		buf = AppendTexts(AppendName(buf, "languages"), languages)
	}
	buf = AppendTexts(AppendName(buf, "frequencies"), FrequencyNames(stat.FrequenciesOf(v.Periods)))
	buf = AppendText(buf, "annual_frequency", stat.AnnualFrequency(v.Periods))
	if series != nil {
		buf = append(AppendName(buf, "default_series"), '{')
		buf = appendKey(buf, d, series.Key, false)
		for i, rule := range series.Rules {
			buf = AppendText(buf, "dim"+strconv.Itoa(i+1)+"_rule", rule)
		}
		buf = append(buf, '}')
	}
	if len(d.Fixed) > 0 {
		buf = append(AppendName(buf, "fixed_dimensions"), '[')
		for _, f := range d.Fixed {
			buf = append(AppendComma(buf), '{')
			buf = AppendText(buf, "id", f.ID)
			buf = AppendText(buf, "label", f.Label)
			buf = append(AppendName(buf, "value"), '{')
			buf = AppendText(buf, "code", f.Code.ID)
			buf = AppendText(buf, "label", f.Code.Label)
			buf = append(buf, '}', '}')
		}
		buf = append(buf, ']')
	}
	if len(d.PeriodLabels) > 0 {
		buf = append(AppendName(buf, "period_labels"), '{')
		for _, p := range slices.SortedFunc(maps.Keys(d.PeriodLabels), stat.Period.Compare) {
			buf = AppendString(AppendName(buf, p.String()), d.PeriodLabels[p])
		}
		buf = append(buf, '}')
	}
	if len(d.Undated) > 0 {
		buf = AppendTexts(AppendName(buf, "undated"), d.Undated)
	}
	return append(buf, '}'), nil
}

// AppendDataset appends the dataset object: the main metadata, next to the data.
func AppendDataset(buf []byte, v *store.Vintage) []byte {
	buf = appendTitle(append(buf, '{'), v.Dataset)
	buf = appendSpan(buf, v)
	buf = AppendLicence(buf, LicenceOf(v), v.AllowsBulk())
	buf = AppendText(buf, "attribution", v.Dataset.Attribution)
	return append(buf, '}')
}

// appendTitle appends the names of a dataset and its source.
func appendTitle(buf []byte, d *stat.Dataset) []byte {
	buf = AppendInt(buf, "id", int64(d.ID))
	buf = AppendText(buf, "dataset_code", d.Code)
	buf = AppendText(buf, "dataset_name", d.Name)
	buf = AppendText(buf, "description", d.Description)
	buf = AppendText(buf, "source_name", d.Source.Name)
	return AppendText(buf, "source_url", d.SourceURL)
}

// appendSpan appends the version, the dimensions and the periods of a vintage, and which part of the dataset it is.
func appendSpan(buf []byte, v *store.Vintage) []byte {
	buf = AppendText(buf, "version", v.Version)
	buf = appendDimensionLabels(buf, v.Dataset)
	buf = AppendText(buf, "oldest_period", v.Oldest.String())
	buf = AppendText(buf, "latest_period", v.Newest.String())
	buf = AppendText(buf, "last_update", v.LastUpdate.Format(time.DateOnly))
	return AppendText(buf, "partial", v.Dataset.Partial)
}

func appendDimensionLabels(buf []byte, d *stat.Dataset) []byte {
	for i := range d.Dimensions {
		buf = AppendText(buf, "dim"+strconv.Itoa(i+1)+"_label", d.Dimensions[i].Label)
	}
	return buf
}

// FrequencyNames returns the names of frequencies.
func FrequencyNames(list []stat.Frequency) []string {
	names := []string{}
	for _, f := range list {
		names = append(names, f.String())
	}
	return names
}

// beginDimension appends the object of the dimension at an index up to its values.
func (w *Writer) beginDimension(i int, dim *stat.Dimension) {
	w.Buf = append(AppendComma(w.Buf), '{')
	w.Buf = AppendText(w.Buf, "dim", "dim"+strconv.Itoa(i+1))
	w.Buf = AppendText(w.Buf, "id", dim.ID)
	w.Buf = AppendText(w.Buf, "label", dim.Label)
	w.Buf = AppendText(w.Buf, "role", string(dim.Role))
	w.Buf = AppendName(w.Buf, "values")
}

// Dimensions writes the values for filtering a dataset, without the last brace of the object.
func (w *Writer) Dimensions(v *store.Vintage) error {
	d := v.Dataset
	w.Buf = append(w.Buf, `{"dimensions":[`...)
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		w.beginDimension(i, dim)
		if err := w.codes(dim.Codes); err != nil {
			return err
		}
		w.Buf = append(w.Buf, '}')
	}
	w.Buf = append(w.Buf, `],"geography":`...)
	if err := w.codes(d.Geography.Codes); err != nil {
		return err
	}
	w.Buf = AppendText(w.Buf, "oldest_period", v.Oldest.String())
	w.Buf = AppendText(w.Buf, "latest_period", v.Newest.String())
	return nil
}

func (w *Writer) codes(codes []stat.Code) error {
	w.Buf = append(w.Buf, '[')
	for i, c := range codes {
		if i > 0 {
			w.Buf = append(w.Buf, ',')
		}
		w.Buf = appendISO(AppendString(append(w.Buf, `{"code":`...), c.ID), &c)
		w.Buf = AppendString(append(w.Buf, `,"label":`...), c.Label)
		w.Buf = append(w.Buf, '}')
		if err := w.Flush(); err != nil {
			return err
		}
	}
	w.Buf = append(w.Buf, ']')
	return nil
}

// AppendLatest appends the latest values of a series in the sense of a mode, if wanted with
// codes beside labels, without the last brace of the object.
func AppendLatest(buf []byte, d *stat.Dataset, l *stat.Latest, mode stat.LatestMode, withCodes bool) []byte {
	buf = AppendInt(append(buf, `{"dataset":{`...), "id", int64(d.ID))
	buf = AppendText(buf, "name", d.Name)
	buf = AppendText(buf, "source", d.Source.Name)
	buf = append(AppendName(buf, "dimensions"), '{')
	buf = appendDimensionLabels(buf, d)
	buf = append(buf, `}},"latest_period":{`...)
	buf = AppendText(buf, "period", l.Period.String())
	if label := d.PeriodLabels[l.Period]; label != "" {
		buf = AppendText(buf, "period_label", label)
	}
	buf = append(AppendName(buf, "countries"), '{')
	var n numberEncoder
	for i, area := range l.Areas {
		buf = append(appendAreaName(buf, d, area), '"')
		buf = n.append(buf, l.Values[i], 0)
		buf = append(buf, '"')
	}
	buf = append(buf, '}')
	if withCodes {
		buf = appendAreaCodes(buf, d, l.Areas)
	}
	buf = append(buf, `,"dimensions":{`...)
	buf = append(appendKey(buf, d, l.Key, withCodes), '}')
	buf = appendLatestUnits(buf, d, l, withCodes)
	if l.Flags != nil {
		buf = append(AppendName(buf, "flags"), '{')
		for i, flags := range l.Flags {
			if flags != "" {
				buf = AppendTexts(appendAreaName(buf, d, l.Areas[i]), flags.List())
			}
		}
		buf = append(buf, '}')
	}
	if l.Periods != nil {
		buf = appendAreaPeriods(buf, d, l)
	}
	buf = AppendText(buf, "latest_mode", string(mode))
	return append(buf, '}')
}

// appendAreaName appends the name of a member of an object that has one for each area.
func appendAreaName(buf []byte, d *stat.Dataset, area int32) []byte {
	return append(AppendString(AppendComma(buf), d.Geography.Codes[area].Label), ':')
}

// appendLatestUnits appends the member "unit", or "units" by area if they differ.
func appendLatestUnits(buf []byte, d *stat.Dataset, l *stat.Latest, withCodes bool) []byte {
	stated := ""
	if l.Units != nil {
		stated = l.Units[0]
	}
	isOther := func(unit string) bool { return unit != stated }
	if !slices.ContainsFunc(l.Units, isOther) {
		if unit := d.UnitOf(l.Key, stated); unit != "" {
			buf = AppendText(buf, "unit", unit)
			if withCodes {
				buf = AppendText(buf, "unit_code", d.UnitCodeOf(l.Key, stated))
			}
		}
		return buf
	}
	buf = append(AppendName(buf, "units"), '{')
	for i, stated := range l.Units {
		if unit := d.UnitOf(l.Key, stated); unit != "" {
			buf = AppendString(appendAreaName(buf, d, l.Areas[i]), unit)
		}
	}
	return append(buf, '}')
}

// appendAreaPeriods appends the members "periods", and "period_labels" if the source has its own text
// of any of them, by area.
func appendAreaPeriods(buf []byte, d *stat.Dataset, l *stat.Latest) []byte {
	var labels []byte
	buf = append(AppendName(buf, "periods"), '{')
	for i, area := range l.Areas {
		buf = AppendString(appendAreaName(buf, d, area), l.Periods[i].String())
		if label := d.PeriodLabels[l.Periods[i]]; label != "" {
			labels = AppendString(appendAreaName(labels, d, area), label)
		}
	}
	buf = append(buf, '}')
	if labels != nil {
		buf = append(append(append(AppendName(buf, "period_labels"), '{'), labels...), '}')
	}
	return buf
}
