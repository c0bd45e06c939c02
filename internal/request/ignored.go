package request

import (
	"fmt"
	"strconv"

	"almanac/internal/chart"
)

// ignoredOptions returns the notices for options that the type of a chart, or what it
// shows, cannot follow. An option with its default value is none.
func ignoredOptions(s *chart.Spec, o *chart.Options) []Notice {
	var notices []Notice
	add := func(field string, value any, message string) {
		notices = append(notices, NewNotice(field, fmt.Sprint(value), message))
	}
	if s.Type != chart.Map {
		const mapsOnly = "only a map follows this option"
		if o.Region != "" {
			add("mapLocation", o.Region, mapsOnly)
		}
		if t := o.Transform; t != (chart.Transform{}) && t != (chart.Transform{Scale: 1}) {
			add("mapTransform", fmt.Sprintf("x %v, y %v, scale %v", t.X, t.Y, t.Scale), mapsOnly)
		}
		if !o.ShowBorders {
			add("showBorders", false, mapsOnly)
		}
		if !o.IncludeDate {
			add("includeDate", false, "only a map has a date in its title; the subtitle of other charts names their time")
		}
		if !o.ShowLegend {
			add("showLegend", false, "only a map can be without a legend; other charts have one if the names of their series do not fit beside them")
		}
	}
	ignoredLines(s, &o.Lines, add)
	if o.HighlightLatest && s.Periods == nil {
		add("highlightLatest", true, "only lines and bars that run along time have a latest point; this chart shows one period")
	}
	if o.ShowValues && s.Type == chart.Line && len(s.Series) > 1 {
		add("showValues", true, "a line chart of "+strconv.Itoa(len(s.Series))+" series has no space for values; select one series, or draw bars")
	}
	if o.Stack != "" && s.Stack == "" {
		add("stack", o.Stack, "only bars and areas of several series are stacked")
	}
	return notices
}

// ignoredLines adds the notices for choices that only lines have.
func ignoredLines(s *chart.Spec, l *chart.Lines, add func(field string, value any, message string)) {
	const outside = "the chart does not show this time"
	for _, p := range s.Unused().Spans {
		add("shadedSpans", p, outside)
	}
	for _, p := range s.Unused().Remarks {
		add("dateNotes", p, outside)
	}
	if s.Type == chart.Line || s.Type == chart.SmallMultiples {
		return
	}
	const linesOnly = "only lines and small multiples follow this option"
	if l.Curve != "" && l.Curve != chart.Smooth {
		add("curve", l.Curve, linesOnly)
	}
	if l.Log {
		add("scale", "log", linesOnly)
	}
	for _, r := range l.References {
		add("referenceLines", r.Value, linesOnly)
	}
	for _, t := range l.Spans {
		add("shadedSpans", t.From, linesOnly)
	}
	for _, r := range l.Remarks {
		add("dateNotes", r.At, linesOnly)
	}
}
