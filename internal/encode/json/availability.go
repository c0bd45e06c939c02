package json

import (
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Availability writes what still gives data under a selection, in the form of
// [Writer.Dimensions] without the codes that give none, and without the last brace of the
// object.
func (w *Writer) Availability(v *store.Vintage, a *store.Availability) error {
	d := v.Dataset
	w.Buf = append(w.Buf, `{"selection":{`...)
	w.Buf = append(appendAvailable(w.Buf, &a.Selected), `},"dimensions":[`...)
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		w.beginDimension(i, dim)
		if err := w.availableCodes(dim.Codes, a.Codes[i]); err != nil {
			return err
		}
		w.Buf = append(w.Buf, '}')
	}
	w.Buf = append(w.Buf, `],"geography":`...)
	return w.availableCodes(d.Geography.Codes, a.Codes[len(d.Dimensions)])
}

func (w *Writer) availableCodes(codes []stat.Code, available []store.Available) error {
	w.Buf = append(w.Buf, '[')
	isFirst := true
	for i, c := range codes {
		if available[i].Series == 0 {
			continue
		}
		if !isFirst {
			w.Buf = append(w.Buf, ',')
		}
		isFirst = false
		w.Buf = appendISO(AppendString(append(w.Buf, `{"code":`...), c.ID), &c)
		w.Buf = AppendString(append(w.Buf, `,"label":`...), c.Label)
		if len(c.Parents) > 0 {
			w.Buf = AppendTexts(append(w.Buf, `,"parents":`...), c.Parents)
		}
		w.Buf = append(appendAvailable(w.Buf, &available[i]), '}')
		if err := w.Flush(); err != nil {
			return err
		}
	}
	w.Buf = append(w.Buf, ']')
	return nil
}

func appendAvailable(buf []byte, a *store.Available) []byte {
	buf = AppendInt(buf, "series", int64(a.Series))
	buf = AppendInt(buf, "observations", int64(a.Observations))
	buf = AppendText(buf, "oldest_period", periodText(a.Oldest))
	return AppendText(buf, "latest_period", periodText(a.Newest))
}

// periodText returns a period as rows have it, empty if it is zero.
func periodText(p stat.Period) string {
	if p.IsZero() {
		return ""
	}
	return p.String()
}
