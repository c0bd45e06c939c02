package jsonstat

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// timeline is the time of a dataset: the periods of a dimension, or one period
// that the caller states.
type timeline struct {
	assemble.Timeline            // of the codes of dim, or of the stated period
	dim               *dimension // nil with a stated period
	texts             []string   // of the periods
}

func (t *reader) setTime(in format.Input) error {
	c := t.cube
	found, err := c.timeline(in.Period)
	if err != nil {
		return err
	}
	noTime := stat.BadFile(c.at, "the dataset %q has no time dimension: state the period of its values", text.Clip(c.title()))
	p, err := t.FilePeriod(found != nil, in.Period, noTime)
	if found == nil {
		t.time.Periods = []stat.Period{p}
		return err
	}
	t.time = *found
	if err := t.LabelPeriods(found.Timeline, found.texts); err != nil {
		return stat.BadFile(found.dim.at, "%v", err)
	}
	return nil
}

// isTime reports whether a dimension has the name of a time.
func (d *dimension) isTime() bool {
	return assemble.IsTimeWord(d.id) || assemble.IsTimeWord(d.label) || d.scale() != 0
}

// scale returns the frequency in the ID of a time dimension of PxStat: TLIST(Q1).
func (d *dimension) scale() stat.Frequency {
	scale, isList := strings.CutPrefix(strings.ToUpper(d.id), "TLIST(")
	if !isList {
		return 0
	}
	return assemble.TimeScale(strings.TrimSuffix(scale, ")"))
}

// timeline returns the dimension with the role of time, else one with the name of a
// time, else the only one whose labels look like periods; nil if there is
// none. With a stated period a dimension with the role may have no periods.
func (c *cube) timeline(stated string) (*timeline, error) {
	hasRole := func(d *dimension) bool { return slices.Contains(c.roles["time"], d.id) }
	for _, isTime := range []func(*dimension) bool{hasRole, (*dimension).isTime} {
		for _, d := range c.order {
			if !isTime(d) {
				continue
			}
			if found, err := d.timeline(); err != nil || found != nil {
				return found, err
			}
			if hasRole(d) && stated == "" {
				return nil, stat.BadFile(d.at, "the dimension %q has the role of time, but neither its codes nor its labels are periods, which are written like 2024, 2024Q1 or 2024M01: the first is %q",
					text.Clip(d.id), text.Clip(d.codes[0]))
			}
		}
	}
	var found *timeline
	for _, d := range c.order {
		if !d.looksLikeTime() {
			continue
		}
		if found != nil {
			return nil, stat.BadFile(c.at, "the dimensions %q and %q may both be the time, and \"role\" does not tell which", text.Clip(found.dim.id), text.Clip(d.id))
		}
		var err error
		if found, err = d.timeline(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// looksLikeTime reports whether all labels are periods. Codes may only count them.
func (d *dimension) looksLikeTime() bool {
	line, err := assemble.ReadTimeline(d.label, 0, d.texts())
	return err == nil && line.LooksLikeTime(false)
}

// texts returns the labels, and the codes of those without.
func (d *dimension) texts() []string {
	texts := make([]string, len(d.codes))
	for i, code := range d.codes {
		texts[i] = cmp.Or(strings.TrimSpace(d.labels[code]), code)
	}
	return texts
}

// timeline reads the codes as periods, or the labels if more of those are periods. Labels that say
// more than their codes are kept. It is nil if none is a period.
func (d *dimension) timeline() (*timeline, error) {
	codes, err := assemble.ReadTimeline(d.label, d.scale(), d.codes)
	labels, labelsErr := assemble.ReadTimeline(d.label, d.scale(), d.texts())
	switch {
	case labels.Len() > codes.Len(), labels.Len() == codes.Len() && codes.Len() > 0 && codes.Periods[0].Frequency() != labels.Periods[0].Frequency(): // 202001 for Q1 2020
		return &timeline{labels, d, d.texts()}, nil
	case err != nil && labelsErr != nil:
		return nil, stat.BadFile(d.at, "%v", err)
	case codes.Len() == 0:
		return nil, nil
	}
	codes.AddLabels(d.label, d.scale(), d.texts())
	return &timeline{codes, d, d.codes}, nil
}
