package request

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/stat"
)

// partialOption is an option that some types of charts do not follow.
type partialOption struct {
	field   string
	values  func(*Chart) []any // what the caller chose; none if that is the default
	types   []chart.Type       // that follow it
	message string
}

var (
	mapTypes  = []chart.Type{chart.Map}
	lineTypes = []chart.Type{chart.Line, chart.SmallMultiples}
	numbered  = []chart.Type{chart.Line, chart.Bar, chart.HorizontalBar, chart.Map, chart.Dumbbell}
	withTexts = []chart.Type{chart.Line, chart.Bar, chart.HorizontalBar, chart.Map, chart.Area, chart.SmallMultiples, chart.Dumbbell}
)

const (
	mapsOnly  = "only a map follows this option"
	linesOnly = "only lines and small multiples follow this option"
	noTexts   = "a sparkline has no texts"
)

// partialOptions are the options with the types of charts that follow them.
var partialOptions = []partialOption{
	{"mapLocation", func(c *Chart) []any { return given(c.Options.Region, c.Options.Region != "") }, mapTypes, mapsOnly},
	{"mapTransform", func(c *Chart) []any {
		t := c.Options.Transform
		return given(fmt.Sprintf("x %v, y %v, scale %v", t.X, t.Y, t.Scale), t != chart.Transform{} && t != chart.Transform{Scale: 1})
	}, mapTypes, mapsOnly},
	{"showBorders", func(c *Chart) []any { return given(false, !c.Options.ShowBorders) }, mapTypes, mapsOnly},
	{"includeDate", func(c *Chart) []any { return given(false, !c.Options.IncludeDate) }, mapTypes, "only a map has a date in its title; the subtitle of other charts names their time"},
	{"showLegend", func(c *Chart) []any { return given(false, !c.Options.ShowLegend) }, mapTypes, "only a map can be without a legend; other charts have one if the names of their series do not fit beside them"},
	{"curve", func(c *Chart) []any {
		curve := c.Options.Lines.Curve
		return given(curve, curve != "" && curve != chart.Smooth)
	}, lineTypes, linesOnly},
	{"scale", func(c *Chart) []any { return given("log", c.Options.Lines.Log) }, lineTypes, linesOnly},
	{"referenceLines", func(c *Chart) []any {
		return each(c.Options.Lines.References, func(r chart.Reference) any { return r.Value })
	}, lineTypes, linesOnly},
	{"shadedSpans", func(c *Chart) []any {
		return each(c.Options.Lines.Spans, func(t chart.TimeSpan) any { return t.From })
	}, lineTypes, linesOnly},
	{"dateNotes", func(c *Chart) []any {
		return each(c.Options.Lines.Remarks, func(r chart.Remark) any { return r.At })
	}, lineTypes, linesOnly},
	{"showBands", func(c *Chart) []any { return given(false, !c.Options.ShowBands) }, lineTypes, linesOnly},
	{"showValues", func(c *Chart) []any { return given(true, c.Options.ShowValues) }, numbered, "only a map, bars, dumbbells and a single line have space for values"},
	{"highlightLatest", func(c *Chart) []any { return given(true, c.Options.HighlightLatest) }, withTexts, "a sparkline marks its latest point always"},
	{"additionalText", func(c *Chart) []any { return given(c.Options.Aside, c.Options.Aside != "") }, withTexts, noTexts},
	{"includeTitle", func(c *Chart) []any { return given(false, !c.Options.IncludeTitle) }, withTexts, noTexts},
	{"includeSource", func(c *Chart) []any { return given(false, !c.Options.IncludeSource) }, withTexts, noTexts},
	{"font", func(c *Chart) []any { return given("embed", c.Options.EmbedFonts) }, withTexts, noTexts},
	{"customLegendLabels", func(c *Chart) []any {
		return given(strconv.Itoa(len(c.Options.Labels)), len(c.Options.Labels) > 0)
	}, withTexts, noTexts},
}

// given returns a value as the only one if it is not the default.
func given(value any, isGiven bool) []any {
	if !isGiven {
		return nil
	}
	return []any{value}
}

func each[T any](list []T, value func(T) any) []any {
	var values []any
	for _, v := range list {
		values = append(values, value(v))
	}
	return values
}

// ignoredOptions returns the notices for options that the type of a chart, or what it
// shows, cannot follow. An option with its default value is none.
func ignoredOptions(s *chart.Spec, c *Chart) []Notice {
	var notices []Notice
	add := func(field string, value any, message string) {
		notices = append(notices, NewNotice(field, fmt.Sprint(value), message))
	}
	for _, p := range partialOptions {
		if slices.Contains(p.types, s.Type) {
			continue
		}
		for _, value := range p.values(c) {
			add(p.field, value, p.message)
		}
	}
	addUnfollowed(s, c, add)
	return append(notices, c.ignoredByFormat()...)
}

// addUnfollowed adds the notices on options that the type of a chart follows, but not with these data.
func addUnfollowed(s *chart.Spec, c *Chart, add func(field string, value any, message string)) {
	o := &c.Options
	switch {
	case !o.HighlightLatest || s.Periods != nil:
	case s.Type == chart.Dumbbell:
		add("highlightLatest", true, "only lines and bars that run along time have a latest point; the dots of a dumbbell have the colours of their periods or values")
	default:
		add("highlightLatest", true, "only lines and bars that run along time have a latest point; this chart shows one period")
	}
	if o.ShowValues && s.Type == chart.Line && len(s.Series) > 1 {
		add("showValues", true, "a line chart of "+strconv.Itoa(len(s.Series))+" series has no space for values; select one series, or draw bars")
	}
	if o.ShowValues && s.Type == chart.Dumbbell && len(s.Series) > 2 {
		add("showValues", true, "a dumbbell of "+strconv.Itoa(len(s.Series))+" dots in a row has space for the values of the lowest and the highest one")
	}
	if s.LacksAddedLabels() {
		message := "the picture is too small for this label; it is written from about 220 pixels of height"
		if s.Type == chart.SmallMultiples {
			message = "the picture may be too small for the note that says this"
		}
		addUnlabelled(o, func(field, label string) {
			if strings.TrimSpace(label) != "" {
				add(field, label, message)
			}
		})
	}
	for _, v := range s.FarReferences() {
		add("referenceLines", v, "the line is so far from the values that these take less than a tenth of the scale")
	}
	if o.Stack != "" && s.Stack == "" {
		add("stack", o.Stack, "only bars and areas of several series are stacked")
	}
	const outside = "the chart does not show this time"
	for _, p := range s.Unused().Spans {
		add("shadedSpans", p, outside)
	}
	for _, p := range s.Unused().Remarks {
		add("dateNotes", p, outside)
	}
	for _, key := range slices.Sorted(maps.Keys(o.Labels)) {
		switch isUsed := !slices.Contains(s.Unused().Labels, key); {
		case strings.TrimSpace(o.Labels[key]) == "":
			add("customLegendLabels", key, "the label is blank, so the name stays as it is")
		case isUsed && s.Type == chart.Bar && s.Periods != nil && len(s.Series) == 1:
			add("customLegendLabels", key, "bars of one series have its name nowhere in the picture")
		case isUsed && s.Type == chart.Map && key != s.Series[0].Key:
			add("customLegendLabels", key, "a map has the names of its areas only in SVG and on pages")
		}
	}
}

// addUnlabelled adds a notice for each option whose labels a small picture does not have.
func addUnlabelled(o *chart.Options, add func(field, label string)) {
	for _, r := range o.Lines.References {
		add("referenceLines", r.Label)
	}
	for _, t := range o.Lines.Spans {
		add("shadedSpans", t.Label)
	}
	for _, r := range o.Lines.Remarks {
		add("dateNotes", r.Label)
	}
}

// ignoredByFormat returns the notices for options that the format of a response cannot follow.
func (c *Chart) ignoredByFormat() []Notice {
	if c.Format == "jpeg" && c.Options.Background == "transparent" && !c.IsPage {
		return []Notice{NewNotice("background", c.Options.Background, "JPEG has no transparency; the picture has the ground of its theme")}
	}
	if c.Options.EmbedFonts && c.Format != "" && !c.IsPage {
		return []Notice{NewNotice("font", "embed", "only SVG contains fonts; its address is url with the ending .svg")}
	}
	return nil
}

// latestNotice returns the notice that a chart along time has no use for a latest period.
func (d *Drawing) latestNotice() []Notice {
	mode := stat.LatestMode(d.data.LatestMode)
	if mode == "" || mode == stat.LatestObserved || d.Query.Latest != "" || d.Options.Type == chart.Dumbbell && d.Options.UntilLast {
		return nil
	}
	message := "the chart shows values of several periods; only maps and bars by area, and the last period of a dumbbell, follow this option"
	if d.Options.Type == chart.Dumbbell {
		message = "a dumbbell compares all areas in the same two periods, of which the last may be a forecast with latest_mode=last"
	}
	return []Notice{NewNotice("latest_mode", string(mode), message)}
}
