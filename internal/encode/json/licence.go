package json

import (
	"almanac/internal/licence"
	"almanac/internal/store"
)

// LicenceOf returns what decides on the licence of a vintage.
func LicenceOf(v *store.Vintage) licence.Dataset {
	d := v.Dataset
	return licence.Dataset{Source: d.Source.ID, Name: d.Name, Updated: v.LastUpdate, Licence: d.Licence, Attribution: d.Attribution}
}

// AppendLicence appends the member "licence": what is known of the licence of a dataset, and
// "bulk": false if the host does not hand out whole datasets of its source. It appends
// nothing if there is nothing to say.
func AppendLicence(buf []byte, d licence.Dataset, allowsBulk bool) []byte {
	l, ok := licence.For(d)
	if !ok && allowsBulk {
		return buf
	}
	buf = append(AppendName(buf, "licence"), '{')
	buf = AppendText(buf, "name", l.Name)
	buf = AppendText(buf, "url", l.URL)
	buf = AppendText(buf, "attribution", l.Attribution)
	buf = AppendText(buf, "redistribution", string(l.Redistribution))
	buf = AppendText(buf, "stated_at", l.StatedAt)
	buf = AppendText(buf, "note", l.Note)
	if !allowsBulk {
		buf = append(AppendName(buf, "bulk"), "false"...)
	}
	return append(buf, '}')
}
