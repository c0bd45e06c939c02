package json

import (
	"math"
	"strconv"
	"time"

	"almanac/internal/store"
)

// timeOfUpdate is the form of a source's time of update, as in the list of datasets.
const timeOfUpdate = "2006-01-02T15:04:05-0700"

// AppendVersion appends an object that describes a version. data is the address of its data.
func AppendVersion(buf []byte, v *store.Version, data string) []byte {
	buf = AppendText(append(buf, '{'), "version", v.Version)
	buf = AppendText(buf, "imported", v.Imported.UTC().Format(time.RFC3339Nano))
	buf = AppendText(buf, "last_update", v.LastUpdate.Format(timeOfUpdate))
	buf = AppendInt(buf, "series", int64(v.Series))
	buf = AppendInt(buf, "observations", int64(v.Observations))
	buf = AppendInt(buf, "added", int64(v.Added))
	buf = AppendInt(buf, "revised", int64(v.Revised))
	buf = AppendInt(buf, "removed", int64(v.Removed))
	if v.Changed != "" {
		buf = AppendTexts(AppendName(buf, "changed"), v.Changed.List())
	}
	buf = AppendText(buf, "digest", v.Digest)
	return append(AppendText(buf, "data", data), '}')
}

// AppendRevision appends an object that describes a revision, with codes beside labels. A value
// that a version does not have is null. withISO adds the period as ISO 8601 writes it, and its days.
func AppendRevision(buf []byte, r *store.Revision, withISO bool) []byte {
	buf = AppendText(append(buf, '{'), "kind", string(r.Kind))
	if r.Kind == store.Revised {
		buf = AppendTexts(AppendName(buf, "changed"), changedMembers(r))
	}
	buf = append(AppendName(buf, "series_key"), '{')
	last := len(r.Codes) - 1
	for i, code := range r.Codes[:last] {
		buf = AppendString(AppendName(buf, "dim"+strconv.Itoa(i+1)+"_value"), code.Label)
		buf = AppendString(AppendName(buf, "dim"+strconv.Itoa(i+1)+"_code"), code.ID)
	}
	area := r.Codes[last]
	buf = AppendText(append(buf, '}'), "country", area.Label)
	buf = AppendText(buf, "country_code", area.ID)
	if area.Area != area.ID {
		buf = AppendText(buf, "country_iso", area.Area)
	}
	buf = AppendText(buf, "period", r.Period.String())
	if withISO {
		buf = append(buf, isoMembers(r.Period)...)
	}
	buf = AppendText(buf, "unit", r.Unit)
	buf = AppendText(buf, "old_unit", r.OldUnit)
	buf = appendNumberOrNull(AppendName(buf, "old_value"), r.Old.Value)
	buf = appendNumberOrNull(AppendName(buf, "new_value"), r.New.Value)
	buf = appendDecimals(buf, "old_decimals", r.Old)
	buf = appendDecimals(buf, "new_decimals", r.New)
	buf = AppendTexts(AppendName(buf, "old_flags"), r.Old.Flags.List())
	buf = AppendTexts(AppendName(buf, "new_flags"), r.New.Flags.List())
	buf = AppendText(buf, "old_note", r.Old.Note)
	return append(AppendText(buf, "new_note", r.New.Note), '}')
}

// appendDecimals appends how many decimals the values of a series have, if that is known and there is a value.
func appendDecimals(buf []byte, name string, o store.Observed) []byte {
	if n := o.Decimals.Count(); n >= 0 && !math.IsNaN(o.Value) {
		return AppendInt(buf, name, int64(n))
	}
	return buf
}

// changedMembers returns what changed of a revised observation.
func changedMembers(r *store.Revision) (changed []string) {
	if r.Old.Value != r.New.Value && !(math.IsNaN(r.Old.Value) && math.IsNaN(r.New.Value)) {
		changed = append(changed, "value")
	}
	if r.HasOtherUnit {
		changed = append(changed, "unit")
	}
	if r.Old.Flags != r.New.Flags {
		changed = append(changed, "flags")
	}
	if r.Old.Note != r.New.Note {
		changed = append(changed, "note")
	}
	return changed
}

// appendNumberOrNull appends a value; one that is missing or that JSON cannot represent is null.
func appendNumberOrNull(buf []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(buf, "null"...)
	}
	return new(numberEncoder).append(buf, v, 0)
}

// AppendDifferences appends an array of what differs between two versions besides observations.
func AppendDifferences(buf []byte, list []store.Difference) []byte {
	buf = append(buf, '[')
	for i := range list {
		d := &list[i]
		buf = AppendText(append(AppendComma(buf), '{'), "kind", string(d.Kind))
		buf = AppendText(buf, "member", d.Member)
		buf = AppendText(buf, "dimension", d.Dimension)
		buf = AppendText(buf, "code", d.Code)
		buf = AppendText(buf, "lang", d.Language)
		buf = AppendText(buf, "old", d.Old)
		buf = append(AppendText(buf, "new", d.New), '}')
	}
	return append(buf, ']')
}
