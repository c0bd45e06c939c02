package chart_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/request"
	"almanac/internal/store"
)

// effect is the visible effect of an option: how a picture with the option differs from
// the picture of the same request without it.
type effect struct {
	base, option string // members of the request
	isVisible    func(without, with *scene.Scene) bool
}

const (
	oneLine   = `"chartType": "line", "selectedDimensions": {"country": "Germany"}`
	twoLines  = `"chartType": "line", "selectedDimensions": {"country": ["Germany", "Greece"]}`
	areaBars  = `"chartType": "horizontal-bar"`
	mapOfAll  = `"chartType": "map"`
	untitled  = `"chartType": "map", "includeTitle": false`
	panels    = `"chartType": "small-multiples", "selectedDimensions": {"country": ["Germany", "Greece"]}`
	greekBars = `"chartType": "bar", "selectedDimensions": {"country": "Greece"}`
)

var teal, _ = colour.Parse("teal")

// effects lists the visible effects of each field of a chart request.
var effects = map[string][]effect{
	"chartType": {
		{"", `"chartType": "line"`, func(_, with *scene.Scene) bool { return count[*scene.Path](with, scene.Series) == 3 }},
		{"", `"chartType": "bar"`, func(_, with *scene.Scene) bool { return upright(with, 2) }},
		{"", `"chartType": "horizontal-bar"`, func(_, with *scene.Scene) bool { return horizontal(with, 2) }},
		{"", `"chartType": "area"`, func(_, with *scene.Scene) bool { return count[*scene.Path](with, scene.Series) == 4 }},
		{"", `"chartType": "small-multiples"`, func(_, with *scene.Scene) bool { return len(with.Plots) == 3 }},
		{"", `"chartType": "dumbbell"`, func(_, with *scene.Scene) bool { return count[*scene.Circle](with, scene.Series) == 4 }},
		{"", `"chartType": "spark"`, func(_, with *scene.Scene) bool {
			return with.PixelWidth == 160 && count[*scene.Path](with, scene.Series) == 1 && !shows(with, scene.Title)
		}},
		{"", `"chartType": "map"`, func(_, with *scene.Scene) bool {
			return slices.Contains(namesOf(with, scene.Area), "DE") && shows(with, scene.Legend)
		}},
	},
	"selectedDimensions": {
		{`"chartType": "line"`, `"selectedDimensions": {"country": "Germany"}`, func(without, with *scene.Scene) bool {
			return slices.Contains(namesOf(without, scene.Series), "Greece") && !slices.Contains(namesOf(with, scene.Series), "Greece") && contains(with, "Germany")
		}},
		{`"chartType": "horizontal-bar", "period": "2021"`, `"selectedDimensions": {"sex": ["Females", "Males"]}`, func(_, with *scene.Scene) bool {
			return slices.Equal(namesOf(with, scene.Legend), []string{"Females", "Males"})
		}},
	},
	"s": {{`"chartType": "line", "selectedDimensions": {"country": "Germany"}`, `"s": ["1:dim2=Females"]`, func(without, with *scene.Scene) bool {
		return !contains(without, "Females") && contains(with, "Females") && contains(with, "Total")
	}}},
	"dimensions_query": {
		{`"chartType": "line"`, `"dimensions_query": "country=Germany&dim2=Females"`, func(_, with *scene.Scene) bool {
			return contains(with, "Germany") && contains(with, "Females") && !contains(with, "Greece")
		}},
		{`"chartType": "line"`, `"dimensions_query": "transform=index:2020"`, func(without, with *scene.Scene) bool {
			return !contains(without, "2020 = 100") && contains(with, "2020 = 100")
		}},
	},
	"period": {
		{mapOfAll, `"period": "2020"`, func(without, with *scene.Scene) bool {
			return contains(without, "2022") && contains(with, "2020") && !contains(with, "2022") && !slices.Contains(namesOf(with, scene.Area), "GR")
		}},
		{areaBars, `"period": "2020"`, func(_, with *scene.Scene) bool { return contains(with, "4,060,000") || contains(with, "4.06 million") }},
	},
	"latest_mode": {{`"chartType": "horizontal-bar", "selectedDimensions": {"country": ["European Union", "Germany"]}`, `"latest_mode": "area"`, func(without, with *scene.Scene) bool {
		return !contains(without, "Each area's latest value") && contains(with, "Each area's latest value")
	}}},
	"seriesColors": {
		{twoLines, `"seriesColors": {"Greece": "teal"}`, func(_, with *scene.Scene) bool {
			return slices.ContainsFunc(with.Marks, func(m scene.Mark) bool {
				p, ok := m.(*scene.Path)
				return ok && p.Name == "Greece" && p.Pen.Colour == teal
			})
		}},
		{areaBars, `"seriesColors": {"Germany": "teal"}`, func(_, with *scene.Scene) bool {
			return slices.ContainsFunc(with.Marks, func(m scene.Mark) bool {
				r, ok := m.(*scene.Rect)
				return ok && r.Role == scene.Series && r.Fill.Colour == teal
			})
		}},
	},
	"customLegendLabels": {{twoLines, `"customLegendLabels": {"Greece": "Hellas"}`, func(_, with *scene.Scene) bool { return contains(with, "Hellas") && !contains(with, "Greece") }}},
	"customTitle": {{oneLine, `"customTitle": "Fewer children"`, func(_, with *scene.Scene) bool {
		return with.Title == "Fewer children" && contains(with, "Fewer children")
	}}},
	"width":  {{oneLine, `"width": 640`, func(_, with *scene.Scene) bool { return with.PixelWidth == 640 && with.PixelHeight == 675 }}},
	"height": {{oneLine, `"height": 480`, func(_, with *scene.Scene) bool { return with.PixelWidth == 1200 && with.PixelHeight == 480 }}},
	"pageStyle": {{oneLine, `"pageStyle": true, "highlightLatest": true`, func(_, with *scene.Scene) bool {
		return slices.Contains(textsOf(with, scene.Highlight), "738\u202f819")
	}}},
	"includeTitle": {{oneLine, `"includeTitle": false`, func(without, with *scene.Scene) bool { return shows(without, scene.Title) && !shows(with, scene.Title) }}},
	"includeSource": {{oneLine, `"includeSource": false`, func(without, with *scene.Scene) bool {
		return shows(without, scene.Source) && !shows(with, scene.Source)
	}}},
	"includeDate": {
		{mapOfAll, `"includeDate": false`, func(without, with *scene.Scene) bool {
			return contains(without, "Births, 2022") && !contains(with, "2022")
		}},
		{untitled, `"includeDate": false`, func(without, with *scene.Scene) bool { return contains(without, "2022") && !contains(with, "2022") }},
	},
	"highlightLatest": {
		{oneLine, `"highlightLatest": true`, func(_, with *scene.Scene) bool {
			return redMark(with) && slices.Contains(textsOf(with, scene.Highlight), "738,819")
		}},
		{greekBars, `"highlightLatest": true`, func(_, with *scene.Scene) bool {
			return redMark(with) && slices.Contains(textsOf(with, scene.Highlight), "76,095")
		}},
	},
	"showValues": {
		{mapOfAll, `"showValues": true`, func(without, with *scene.Scene) bool { return !shows(without, scene.Value) && shows(with, scene.Value) }},
		{oneLine, `"showValues": true`, func(without, with *scene.Scene) bool {
			return !shows(without, scene.Value) && slices.Contains(textsOf(with, scene.Value), "773,144")
		}},
	},
	"curve": {{oneLine, `"curve": "step"`, func(without, with *scene.Scene) bool { return pathOps(with) > pathOps(without) }}},
	"scale": {{oneLine, `"scale": "log"`, func(without, with *scene.Scene) bool {
		return !contains(without, "Logarithmic scale") && contains(with, "Logarithmic scale")
	}}},
	"referenceLines": {
		{oneLine, `"referenceLines": {"750000": "Target"}`, func(_, with *scene.Scene) bool {
			return shows(with, scene.Reference) && contains(with, "Target")
		}},
		{panels, `"referenceLines": {"750000": "Target"}`, func(_, with *scene.Scene) bool {
			return shows(with, scene.Reference) && contains(with, "Horizontal line: Target (750,000).")
		}},
	},
	"shadedSpans": {
		{oneLine, `"shadedSpans": {"2021": "Pandemic"}`, func(_, with *scene.Scene) bool { return shows(with, scene.Span) && contains(with, "Pandemic") }},
		{panels, `"shadedSpans": {"2020..2021": "Pandemic"}`, func(_, with *scene.Scene) bool {
			return shows(with, scene.Span) && contains(with, "Shaded background: Pandemic (2020–2021).")
		}},
	},
	"dateNotes": {
		{oneLine, `"dateNotes": {"2021": "Vaccination"}`, func(_, with *scene.Scene) bool { return shows(with, scene.Remark) && contains(with, "Vaccination") }},
		{panels, `"dateNotes": {"2021": ""}`, func(_, with *scene.Scene) bool {
			return shows(with, scene.Remark) && contains(with, "Vertical line: 2021.")
		}},
	},
	"showBorders": {{mapOfAll, `"showBorders": false`, func(without, with *scene.Scene) bool {
		return shows(without, scene.Border) && !shows(with, scene.Border) && !shows(with, scene.Disputed)
	}}},
	"showLegend": {{mapOfAll, `"showLegend": false`, func(without, with *scene.Scene) bool {
		return shows(without, scene.Legend) && !shows(with, scene.Legend) && !shows(with, scene.LegendText)
	}}},
	"mapLocation": {{mapOfAll, `"mapLocation": "asia"`, func(without, with *scene.Scene) bool {
		return !slices.Contains(namesOf(without, scene.Land), "JP") && slices.Contains(namesOf(with, scene.Land), "JP")
	}}},
	"additionalText": {
		{mapOfAll, `"additionalText": "Including births abroad"`, func(_, with *scene.Scene) bool { return leftOf(with, scene.Aside, with.Width/3) }},
		{oneLine, `"additionalText": "Including births abroad"`, func(_, with *scene.Scene) bool { return contains(with, "Including births abroad") }},
	},
	"mapTransform": {{mapOfAll, `"mapTransform": {"x": 20, "y": -10, "scale": 0.8}`, func(without, with *scene.Scene) bool {
		was, is := boxOf(without, "DE"), boxOf(with, "DE")
		return math.Abs(is.W/was.W-.8) < .05 && math.Abs(is.H/was.H-.8) < .05
	}}},
	"theme": {{oneLine, `"theme": "dark"`, func(_, with *scene.Scene) bool { return with.Ground == colour.Night.Ground }}},
	"background": {
		{oneLine, `"background": "teal"`, func(_, with *scene.Scene) bool { return with.Ground == teal }},
		{oneLine, `"background": "transparent"`, func(_, with *scene.Scene) bool { return with.Transparent }},
	},
	"font": {{oneLine, `"font": "embed"`, func(_, with *scene.Scene) bool { return with.EmbedFonts }}},
	"stack": {{`"chartType": "horizontal-bar", "period": "2021", "selectedDimensions": {"sex": ["Females", "Males"]}`, `"stack": "percent"`, func(without, with *scene.Scene) bool {
		return !contains(without, "% of the sum") && contains(with, "% of the sum")
	}}},
	"locale": {{oneLine, `"locale": "de"`, func(without, with *scene.Scene) bool {
		return contains(without, "Source: ") && contains(with, "Quelle: ")
	}}},
	"lang": {{oneLine, `"lang": "de"`, func(without, with *scene.Scene) bool {
		return contains(without, "Source: ") && contains(with, "Quelle: ")
	}}},
	"transform": {{oneLine, `"transform": "percent"`, func(without, with *scene.Scene) bool {
		return !contains(without, "% change on previous year") && contains(with, "% change on previous year")
	}}},
	"plain": {{oneLine, `"plain": true`, func(without, with *scene.Scene) bool {
		return shows(without, scene.Title) && shows(without, scene.Subtitle) && shows(without, scene.Source) &&
			!shows(with, scene.Title) && !shows(with, scene.Subtitle) && !shows(with, scene.Source) && !shows(with, scene.Note) && with.Alt == without.Alt
	}}},
	"datasetId": {{"", oneLine, func(_, with *scene.Scene) bool { return contains(with, "dataset births") }}},
}

// Each documented field has a visible effect: an option that is accepted and ignored is
// worse than one that is rejected.
func TestEveryOptionHasAnEffect(t *testing.T) {
	text, err := os.ReadFile("testdata/specs/births.txt")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(text), "\n\n")
	v := vintageOf(t, table)
	for _, f := range request.ChartFields {
		if len(effects[f.Name]) == 0 && !slices.Contains([]string{"format", "embed", "version", "asOf", "showBands"}, f.Name) { // which concern the response and the version (see package api), and bounds (see TestBands)
			t.Errorf("no visible effect is listed for %s", f.Name)
		}
		for _, s := range effects[f.Name] {
			t.Run(f.Name, func(t *testing.T) {
				with := draw(t, v, join(s.base, s.option))
				without := with
				if strings.Contains(s.base, "chartType") {
					without = draw(t, v, s.base)
				}
				if !s.isVisible(without, with) {
					t.Errorf("%s does not change the picture of {%s} as expected", s.option, s.base)
				}
			})
		}
	}
}

func join(members ...string) string {
	return strings.Join(slices.DeleteFunc(members, func(m string) bool { return m == "" }), ", ")
}

// pathOps returns the number of straight and curved pieces of the lines of series.
func pathOps(sc *scene.Scene) int {
	n := 0
	for _, m := range layoutcheck.Marks(sc, scene.Series) {
		if p, ok := m.(*scene.Path); ok {
			n += len(p.Outline.Ops)
		}
	}
	return n
}

func draw(t *testing.T, v *store.Vintage, members string) *scene.Scene {
	t.Helper()
	c, err := request.ReadChart([]byte(`{"datasetId": 1, ` + members + `}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.OpenOthers(func(string, request.Edition) (*store.Vintage, error) { return v, nil }); err != nil {
		t.Fatal(err)
	}
	l, err := request.Localise(t.Context(), v, c.Data.Lang, "")
	if err != nil {
		t.Fatal(err)
	}
	c.UseLanguage(l)
	s, _, err := request.Spec(t.Context(), l.Vintage, c)
	if err != nil {
		t.Fatal(err)
	}
	return layout.Layout(s)
}

// contains reports whether the texts of a picture contain the words, which may span
// several lines.
func contains(s *scene.Scene, words string) bool {
	var all []string
	for _, m := range s.Marks {
		if text, ok := m.(*scene.Text); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Contains(strings.Join(all, " "), words)
}

func shows(s *scene.Scene, role string) bool { return count[scene.Mark](s, role) > 0 }

// count returns the number of marks of a kind and role.
func count[M scene.Mark](s *scene.Scene, role string) int {
	n := 0
	for _, m := range s.Marks {
		if _, ok := m.(M); ok && m.Tags().Role == role {
			n++
		}
	}
	return n
}

func textsOf(s *scene.Scene, role string) []string {
	var texts []string
	for _, m := range s.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == role {
			texts = append(texts, text.Text)
		}
	}
	return texts
}

func namesOf(s *scene.Scene, role string) []string {
	var names []string
	for _, m := range s.Marks {
		if m.Tags().Role == role {
			names = append(names, m.Tags().Name)
		}
	}
	return names
}

func bars(s *scene.Scene) []*scene.Rect {
	var bars []*scene.Rect
	for _, m := range s.Marks {
		if r, ok := m.(*scene.Rect); ok && r.Role == scene.Series {
			bars = append(bars, r)
		}
	}
	return bars
}

// upright and horizontal report whether there are n bars that all start on one line, at
// the bottom or on the left.
func upright(s *scene.Scene, n int) bool {
	bars := bars(s)
	return len(bars) == n && !slices.ContainsFunc(bars[1:], func(r *scene.Rect) bool { return math.Abs(r.Y+r.H-bars[0].Y-bars[0].H) > 1 || r.X == bars[0].X })
}

func horizontal(s *scene.Scene, n int) bool {
	bars := bars(s)
	return len(bars) == n && !slices.ContainsFunc(bars[1:], func(r *scene.Rect) bool { return math.Abs(r.X-bars[0].X) > 1 || r.Y == bars[0].Y })
}

func redMark(s *scene.Scene) bool {
	return slices.ContainsFunc(s.Marks, func(m scene.Mark) bool {
		switch m := m.(type) {
		case *scene.Circle: // a ring if the value is provisional
			return m.Fill.Colour == colour.Alert || m.Pen.Colour == colour.Alert
		case *scene.Rect:
			return m.Fill.Colour == colour.Alert
		}
		return false
	})
}

func leftOf(s *scene.Scene, role string, x float64) bool {
	for _, m := range s.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == role {
			return text.Box().X+text.Box().W < x
		}
	}
	return false
}

// boxOf returns the bounding box of an area's outline.
func boxOf(s *scene.Scene, area string) scene.Box {
	low, high := scene.Point{X: math.Inf(1), Y: math.Inf(1)}, scene.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, m := range s.Marks {
		p, ok := m.(*scene.Path)
		if !ok || p.Role != scene.Area || p.Name != area {
			continue
		}
		for _, q := range p.Outline.Points {
			low = scene.Point{X: min(low.X, q.X), Y: min(low.Y, q.Y)}
			high = scene.Point{X: max(high.X, q.X), Y: max(high.Y, q.Y)}
		}
	}
	return scene.Box{X: low.X, Y: low.Y, W: high.X - low.X, H: high.Y - low.Y}
}
