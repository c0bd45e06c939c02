package portal_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// A table whose last periods are forecasts begins with those that are observed, and shows the period of bars.
func TestTableShowsWhatWasObserved(t *testing.T) {
	base := serve(t, officeStore(t), nil)
	for _, view := range []string{"line", "bar", "table"} {
		root := openPage(t, base+"/datasets/1/wpp_period_indicators_medium?view="+view)
		var shown []string
		for _, head := range elements(root, "th", "scope=col", "data-p") {
			if _, isHidden := attribute(head, "hidden"); !isHidden {
				shown = append(shown, textOf(head))
			}
		}
		at := slices.Index(shown, "2015–2020")
		if at < len(shown)/2 || at == len(shown)-1 {
			t.Errorf("%s: 2015–2020, the last observed period, is no. %d of %q", view, at+1, shown)
		}
	}
}

// Values of several years have these years wherever a page states one of them: in answers while typing, among the results, in the table and in its
// citation, and on the page of the area.
func TestPeriodsOfSeveralYears(t *testing.T) {
	base := serve(t, officeStore(t), nil)
	const question, selection = "?q=total+fertility+rate+niger+2020", "?dim2=TFR&country=NE&period_from=2020&period_to=2020"
	for _, c := range []struct{ address, tag, want string }{
		{"/suggest" + question, "a", "Niger, 2015–2020"},
		{"/search" + question, "p", "Niger 2015–2020: 6.95"},
		{"/datasets/1/wpp_period_indicators_medium" + selection, "th", "2015–2020"},
		{"/datasets/1/wpp_period_indicators_medium" + selection, "p", "Niger, 2015–2020: 6.95"},
		{"/areas/NE", "span", "2015–2020"},
	} {
		states := func(e *html.Node) bool { return strings.Contains(joinedText(textOf(e)), joinedText(c.want)) }
		if !slices.ContainsFunc(elements(openPage(t, base+c.address), c.tag), states) {
			t.Errorf("%s: there is no %q", c.address, c.want)
		}
	}
}

// A page whose chart shows one period offers the table of that period, and its field of the period has it.
func TestPeriodOfMap(t *testing.T) {
	base := serve(t, officeStore(t), nil)
	for _, view := range []string{"map", "ranking"} {
		root := openPage(t, base+"/datasets/1/wpp_period_indicators_medium?view="+view)
		caption := textOf(elements(root, "figcaption")[0])
		field, _ := attribute(elements(root, "input", "name=period")[0], "placeholder")
		var ways []string
		for _, a := range elements(root, "a") {
			if address, _ := attribute(a, "href"); strings.Contains(address, "period=") {
				ways = append(ways, textOf(a))
			}
		}
		if !strings.Contains(caption, "2020") || field != "2020" || !slices.Contains(ways, "2020 only") {
			t.Errorf("%s: the chart says %q, the field has %q, and the ways are %q", view, caption, field, ways)
		}
	}
}
