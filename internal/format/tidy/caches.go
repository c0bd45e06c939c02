package tidy

import (
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// caches hold what many rows say in the same words, each read once. They grow
// with the different periods, flags and units of a file, not with its rows.
type caches struct {
	stated  stat.Period // the period of the whole file, where the caller gave it
	periods map[string]stat.Period
	years   map[stat.Period]string // how each year was first written: itself or a span
	status  map[[2]string]stat.Flags
	texts   text.Interner
}

func newCaches() caches {
	return caches{
		periods: map[string]stat.Period{},
		years:   map[stat.Period]string{},
		status:  map[[2]string]stat.Flags{},
		texts:   text.Interner{},
	}
}

// period reads the row's period.
func (r *reader) period() (stat.Period, error) {
	column := r.columns.period
	if column < 0 {
		return r.caches.stated, nil
	}
	text := r.record[column]
	if p, ok := r.caches.periods[text]; ok {
		return p, nil
	}
	p, isSpan := table.ReadSpan(text)
	if !isSpan {
		var err error
		if p, err = stat.ParsePeriod(text); err != nil {
			return p, r.bad(column, "%v; a span of years is written like 1950-1955", err)
		}
	}
	if err := r.notePeriod(p, isSpan, r.caches.texts.Keep(text)); err != nil {
		return p, err
	}
	r.caches.periods[r.caches.texts.Keep(text)] = p
	return p, nil
}

// notePeriod keeps the text of a span. A year can have one meaning only in a
// dataset: itself, or one span.
func (r *reader) notePeriod(p stat.Period, isSpan bool, text string) error {
	if p.Frequency() != stat.Annual {
		return nil
	}
	if !isSpan {
		text = p.String() // 2024-A1 and 2024 are the same period
	}
	before, ok := r.caches.years[p]
	if ok && before != text {
		return r.bad(r.columns.period, "%s would be stored as the year %s, and so is %s of an earlier row; a dataset can have one of them",
			text, p, before)
	}
	r.caches.years[p] = text
	if isSpan {
		if r.dataset.PeriodLabels == nil {
			r.dataset.PeriodLabels = map[stat.Period]string{}
		}
		r.dataset.PeriodLabels[p] = text
	}
	return nil
}

// obsStatus are the codes of SDMX CL_OBS_STATUS 2.2.
const obsStatus = "A B D E F G H I J K L M N O P Q S U V W"

// flags reads the row's two columns of remarks.
func (r *reader) flags() (stat.Flags, error) {
	status, conf := r.cell(r.columns.status), r.cell(r.columns.conf)
	if status == "" && conf == "" {
		return "", nil
	}
	if f, ok := r.caches.status[[2]string{status, conf}]; ok {
		return f, nil
	}
	known := strings.Fields(obsStatus)
	for code := range strings.FieldsSeq(status) {
		agency, mark, own := strings.Cut(code, ":")
		switch {
		case strings.HasPrefix(code, stat.ConfPrefix):
			return "", r.bad(r.columns.status, "%q belongs into the column %s, without its prefix", code, colConf)
		case own && (agency == "" || mark == ""), !own && !slices.Contains(known, code):
			return "", r.bad(r.columns.status, "%q is no code of CL_OBS_STATUS (%s); an office's own mark is written agency:mark", code, obsStatus)
		}
	}
	f := stat.JoinFlags(status, conf)
	r.caches.status[[2]string{strings.Clone(status), strings.Clone(conf)}] = f
	return f, nil
}
