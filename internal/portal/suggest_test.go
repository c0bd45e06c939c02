package portal_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/api"
	"almanac/internal/offer"
	"almanac/internal/portal"
)

const unemploymentTitle = "Unemployment rate, annual average, by sex and age groups (%)"

// TestSuggestions reads answers to unfinished questions: datasets by their titles and codes with the typed letters marked,
// numbers as the interface has them with the address of just this series, and nothing for what is no question.
func TestSuggestions(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct{ name, typed, first, marked, number string }{
		{"beginning of a word", "unempl", unemploymentTitle, "Unempl", "6.7"},
		{"a word and a country", "unemployment greece", unemploymentTitle, "Unemployment", "17.3"},
		{"code", "une_rt_a", unemploymentTitle, "", "6.7"},
		{"misspelt", "unemplyment", unemploymentTitle, "Unemployment", "6.7"},
		{"one letter", "u", "", "", ""},
		{"no word", "...", "", "", ""},
		{"nothing", "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, "GET", base+"/suggest?q="+strings.ReplaceAll(c.typed, " ", "+"))
			if got.StatusCode != http.StatusOK {
				t.Fatalf("%d %s", got.StatusCode, got.body)
			}
			root := parse(t, got.body)
			options := elements(root, "a", "role=option")
			if c.first == "" {
				if text := textOf(root); text != "" {
					t.Errorf("there is %q", text)
				}
				return
			}
			if len(options) == 0 || joined(options[0]) != joinedText(c.first) {
				t.Fatalf("the answers are %.500s", textOf(root))
			}
			if marks := elements(options[0], "mark"); c.marked != "" && (len(marks) == 0 || textOf(marks[0]) != c.marked) {
				t.Errorf("marked are %d parts", len(marks))
			}
			checkNumber(t, base, options, c.number)
			for _, o := range options {
				to, _ := attribute(o, "href")
				if status := ask(t, "GET", base+to).StatusCode; status != http.StatusOK {
					t.Errorf("%s: %d", to, status)
				}
			}
		})
	}
}

// A suggested dataset opens as its hit among the results does: with the areas, the ages and the time of the question.
func TestSuggestionsLeadWhereHitsDo(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const question = "?q=youth+unemployment+women+Spain+Greece+2015-2018"
	to, _ := attribute(elements(parse(t, ask(t, "GET", base+"/suggest"+question).body), "a", "role=option")[0], "href")
	_, selected, _ := strings.Cut(to, "?")
	if selected != "dim2=Y15-24&dim4=F&country=ES&country=GR&period_from=2015&period_to=2018" {
		t.Errorf("the suggestion leads to %s", to)
	}
	if hits := elements(openPage(t, base+"/search"+question), "a", "href="+to); len(hits) == 0 {
		t.Errorf("no hit leads to %s", to)
	}
}

// TestAnswersComeFirst offers datasets whose titles match better than that of a dataset here. The dataset here comes first where it has the
// value that is asked for, among the answers while typing and among the results, and only there.
func TestAnswersComeFirst(t *testing.T) {
	base := serve(t, realStore(t), func(a *api.Options, _ *portal.Options) {
		offerDatasets(t, a, offer.Offer{Code: "a", Title: "Youth unemployment rate"}, offer.Offer{Code: "b", Title: "Youth unemployment in Spain and Greece"},
			offer.Offer{Code: "c", Title: "Youth unemployment rate by sex"}, offer.Offer{Code: "d", Title: "Long-term youth unemployment rate"})
	})
	for _, c := range []struct {
		question string
		isFirst  bool
	}{
		{"youth unemployment rate Spain Greece since 2005", true}, {"Jugendarbeitslosigkeit Spanien Griechenland seit 2005", true}, {"youth unemplyment rate Spain", true},
		{"youth unemployment rate Spain 2035", true}, // it has other years
		{"paro juvenil España Grecia desde 2005", true}, {"taux de chômage des jeunes en Espagne", true}, {"youth unemployment rate Japan", false},
	} {
		query := "?q=" + url.QueryEscape(c.question)
		suggested := elements(openPage(t, base+"/suggest"+query), "a", "role=option")
		found := elements(openPage(t, base+"/search"+query), "h2")
		if len(suggested) == 0 || len(found) == 0 {
			t.Errorf("%s: %d answers, %d results", c.question, len(suggested), len(found))
			continue
		}
		for _, title := range []string{joined(suggested[0]), joinedText(textOf(found[0]))} {
			if (title == joinedText(unemploymentTitle)) != c.isFirst {
				t.Errorf("%s: the first is %s", c.question, title)
			}
		}
	}
}

// Numbers are of all areas that a question names, of the best dataset first, and each says which office published it.
func TestNumbersOfSeveralAreas(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, question := range []string{"youth unemployment rate spain vs greece", "taux de chômage des jeunes Espagne Grèce depuis 2005"} {
		var numbers []string
		for _, o := range elements(openPage(t, base+"/suggest?q="+url.QueryEscape(question)), "a", "role=option") {
			if to, _ := attribute(o, "href"); strings.Contains(textOf(o), " · Eurostat") {
				numbers = append(numbers, to[strings.LastIndex(to, "country="):][:len("country=ES")])
			}
		}
		if len(numbers) < 2 || numbers[0] != "country=ES" || numbers[1] != "country=GR" {
			t.Errorf("%s: the numbers are of %q", question, numbers)
		}
	}
}

// A reference to a dataset finds only this one, and its title leads to the office's page.
func TestReferenceFindsOne(t *testing.T) {
	base := serve(t, realStore(t), func(a *api.Options, p *portal.Options) {
		offerDatasets(t, a, offer.Offer{Code: "tesem140", Title: "Youth unemployment rate by sex"}, offer.Offer{Code: "tesem150", Title: "Young people"})
		p.OfficePage = func(source, code, _ string) string { return "https://office.example/" + source + "/" + code }
	})
	suggested := elements(openPage(t, base+"/suggest?q=tesem140"), "a", "role=option")
	to, _ := attribute(suggested[0], "href")
	root := openPage(t, base+to)
	if title, want := textOf(elements(root, "h1")[0]), "1 dataset with the code “eurostat:tesem140”"; title != want {
		t.Errorf("%s is headed %q, want %q", to, title, want)
	}
	titles := elements(elements(root, "h2")[0], "a")
	if len(titles) == 0 {
		t.Fatal("the title is no link")
	}
	if address, _ := attribute(titles[0], "href"); address != "https://office.example/eurostat/tesem140" {
		t.Errorf("the title leads to %s", address)
	}
	if title := textOf(elements(openPage(t, base+"/search?q=tesem140"), "h1")[0]); title != "1 dataset with the code “tesem140”, and 1 similar" {
		t.Errorf("the code alone finds %q", title)
	}
}

// checkNumber looks for a number among the options, and for the same one on the page to which it leads.
func checkNumber(t *testing.T, base string, options []*html.Node, number string) {
	t.Helper()
	for _, o := range options {
		if w := withClass(o, "span", "w"); textOf(w[0]) == number {
			to, _ := attribute(o, "href")
			if page := textOf(openPage(t, base+to)); !strings.Contains(page, number) {
				t.Errorf("the page %s has no %s", to, number)
			}
			return
		}
	}
	t.Errorf("no answer is %s", number)
}

// joined is the text of the first part of an option without spaces.
func joined(option *html.Node) string { return joinedText(textOf(elements(option, "span")[0])) }

func joinedText(text string) string { return strings.ReplaceAll(text, " ", "") }

// A question that is only an area leads to the page of the area, by name or by any code.
func TestQuestionForAnArea(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for typed, to := range map[string]string{"Greece": "/areas/GR", "EL": "/areas/GR", "grc": "/areas/GR"} {
		for _, page := range []string{"/suggest?q=", "/search?q="} {
			root := openPage(t, base+page+typed)
			if len(elements(root, "a", "href="+to)) == 0 {
				t.Errorf("%s%s does not lead to %s: %.300s", page, typed, to, textOf(root))
			}
		}
	}
}

// A number of a group names the group, in the answers while typing and on the card of a result. The usual series is not named.
func TestGroupIsNamed(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const group = "From 15 to 24 years"
	for _, c := range []struct {
		page    string
		isNamed bool
	}{{"/suggest?q=youth+unemployment+spain", true}, {"/search?q=youth+unemployment+spain", true}, {"/suggest?q=unemployment+spain", false}, {"/search?q=unemployment+spain", false}} {
		text := ""
		root := openPage(t, base+c.page)
		for _, shown := range append(elements(root, "a", "role=option"), withClass(root, "p", "val")...) {
			text += textOf(shown) + "\n"
		}
		if strings.Contains(text, group) != c.isNamed {
			t.Errorf("%s: %s", c.page, text)
		}
	}
}
