package chart

import "almanac/internal/stat"

// checkCount reports more series or bars than a chart along time can show.
func (s *Spec) checkCount(t *selection, n, periods int) error {
	if s.Type == Line && n > maxLineSeries && t.isAsked {
		return stat.Errorf(stat.Invalid, "chartType %s: the selection has %d series, but a line chart shows at most %d; select fewer areas or dimension values", s.Type, n, maxLineSeries)
	}
	if s.Type == SmallMultiples && n > maxPanels && t.areNamed {
		return stat.Errorf(stat.Invalid, "chartType %s: the selection has %d series, but small multiples have at most %d panels; select fewer areas or dimension values", s.Type, n, maxPanels)
	}
	if s.Type == Area && n > maxGroups && (t.areNamed || !t.areas) {
		return stat.Errorf(stat.Invalid, "chartType %s: the selection has %d series, but an area chart shows at most %d; select fewer areas or dimension values", s.Type, n, maxGroups)
	}
	if s.Type == Bar && n > maxGroups {
		return stat.Errorf(stat.Invalid, "chartType %s: the selection has %d series, but bars along time show at most %d side by side; select fewer areas or dimension values, or one period", s.Type, n, maxGroups)
	}
	if s.Type == Bar && periods*n > maxBars {
		return stat.Errorf(stat.Invalid, "chartType %s: the selection has %d periods × %d series, but a bar chart shows at most %d bars; select fewer, or draw a line chart", s.Type, periods, n, maxBars)
	}
	return nil
}
