package portal_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/stattest"
)

// TestExamplesRun runs what the page offers to copy for the shell, Python and JavaScript. The
// programs are those of clients/install.sh and of the system.
func TestExamplesRun(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, one := range []struct {
		use, file string
		program   string
		want      string
	}{
		{"curl", "example.sh", "sh", `"Greece":17.3`},
		{"python", "example.py", "python/bin/python3", "17.3"},
		{"r", "example.R", "Rscript", "17.3"},
		{"javascript", "example.mjs", "node", "Greece: 17.3"},
	} {
		t.Run(one.use, func(t *testing.T) {
			program := stattest.Program(t, one.program)
			root := openPage(t, base+"/datasets/1/une_rt_a?country=EL&country=ES&period_from=2018&use="+one.use)
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, one.file), []byte(example(t, root)), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.Command(program, one.file)
			run.Dir = dir
			out, err := run.CombinedOutput()
			if err != nil || !strings.Contains(string(out), one.want) {
				t.Errorf("%v; the output has no %s: %s", err, one.want, out)
			}
		})
	}
}

// TestExamplesKeepNamibia runs the examples for a country whose code is NA, which is no missing value.
func TestExamplesKeepNamibia(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, one := range []struct{ use, file, program, want string }{
		{"curl", "example.sh", "sh", `"Namibia":2173170`},
		{"python", "example.py", "python/bin/python3", "NA   2010  2173170"},
		{"r", "example.R", "Rscript", "NAM      NA   2010"},
		{"javascript", "example.mjs", "node", "Namibia: 2173170"},
	} {
		t.Run(one.use, func(t *testing.T) {
			program, dir := stattest.Program(t, one.program), t.TempDir()
			code := example(t, openPage(t, base+"/datasets/5/sp.pop.totl?country=NA&period=2010&use="+one.use))
			if err := os.WriteFile(filepath.Join(dir, one.file), []byte(code), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.Command(program, one.file)
			run.Dir = dir
			out, err := run.CombinedOutput()
			if err != nil || !strings.Contains(string(out), one.want) {
				t.Errorf("%v; the output has no %s: %s", err, one.want, out)
			}
		})
	}
}

// TestPicturesAreDownloaded: a browser keeps pictures, which it would else show in place of the page, under the name of the dataset.
func TestPicturesAreDownloaded(t *testing.T) {
	root := openPage(t, serve(t, realStore(t), nil)+"/datasets/1/une_rt_a?country=EL")
	names := map[string]int{}
	for _, a := range elements(root, "a", "download") {
		name, _ := attribute(a, "download")
		names[name]++
	}
	if len(names) != 2 || names["eurostat-une-rt-a.png"] != 2 || names["eurostat-une-rt-a.svg"] != 2 {
		t.Errorf("the pictures are kept as %v", names)
	}
}

// example returns the text that section 4 offers to copy, with its lines.
func example(t testing.TB, root *html.Node) string {
	t.Helper()
	code := elements(withID(t, root, "use"), "code")
	if len(code) != 1 || code[0].FirstChild == nil {
		t.Fatal("the page has no example")
	}
	return code[0].FirstChild.Data
}

// TestEmbeddedChart reads the chart that the page offers to embed: it is a page that other origins may
// frame.
func TestEmbeddedChart(t *testing.T) {
	base := serve(t, realStore(t), nil)
	links := elements(withClass(openPage(t, base+"/datasets/1/une_rt_a?country=EL"), "p", "formats")[0], "a")
	at := slices.IndexFunc(links, func(a *html.Node) bool { return textOf(a) == "Embed" })
	if at < 0 {
		t.Fatal("the chart has no way to embed it")
	}
	to, _ := attribute(links[at], "href")
	if !strings.HasSuffix(to, "#use") {
		t.Errorf("the way to embed leads to %s", to)
	}
	text := example(t, openPage(t, base+strings.TrimSuffix(to, "#use")))
	frames := elements(parse(t, text), "iframe", "src")
	if len(frames) != 1 {
		t.Fatalf("no frame: %s", text)
	}
	address, _ := attribute(frames[0], "src")
	got := ask(t, "GET", address)
	if got.StatusCode != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") || strings.Contains(got.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("%s: %d %s %s", address, got.StatusCode, got.Header.Get("Content-Type"), got.Header.Get("Content-Security-Policy"))
	}
}

// TestCitationFiles reads the citation of a view: it has office, code, version, and the address of the
// view in this version.
func TestCitationFiles(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const exact = "/datasets/1/une_rt_a?country=EL&version=1.0"
	root := openPage(t, base+"/datasets/1/une_rt_a?country=EL")
	links := map[string]string{}
	for _, a := range elements(root, "a") {
		links[textOf(a)], _ = attribute(a, "href")
	}
	for name, want := range map[string][]string{
		"BibTeX": {"@misc{eurostat-une-rt-a,", "author = {{Eurostat}}", `Dataset une\_rt\_a, version 1.0`, "url = {" + base + exact + "}", "urldate = {2025-11-21}"},
		"RIS":    {"TY  - DATA\r\n", "AU  - Eurostat\r\n", "UR  - " + base + exact + "\r\n", "ER  - \r\n"},
	} {
		got := ask(t, "GET", base+links[name])
		if got.StatusCode != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d, %s", links[name], got.StatusCode, got.Header.Get("Content-Disposition"))
		}
		for _, line := range want {
			if !strings.Contains(got.body, line) {
				t.Errorf("%s has no %q: %s", name, line, got.body)
			}
		}
	}
	openPage(t, base+exact)
}

// TestAddressesOfDatasets sends readers of wrong codes to the right address, and names the canonical
// one, without the usual choices.
func TestAddressesOfDatasets(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for from, to := range map[string]string{
		"/datasets/1":                        "/datasets/1/une_rt_a",
		"/datasets/1/UNE_RT_A?country=EL":    "/datasets/1/une_rt_a?country=EL",
		"/datasets/1/other/studio?type=map":  "/datasets/1/une_rt_a/studio?type=map",
		"/datasets/1/other/versions":         "/datasets/1/une_rt_a/versions",
		"/datasets/1/other/cite.bib?lang=en": "/datasets/1/une_rt_a/cite.bib?lang=en",
	} {
		if got := ask(t, "GET", base+from); got.StatusCode != http.StatusMovedPermanently || got.Header.Get("Location") != to {
			t.Errorf("%s: %d %s, want 301 %s", from, got.StatusCode, got.Header.Get("Location"), to)
		}
	}
	links := strings.Join(ask(t, "GET", base+"/datasets/1/une_rt_a?dim2=Y15-74&country=EL&view=bar&sort=name").Header.Values("Link"), "\n")
	for _, want := range []string{`rel="alternate"; type="application/json"`, `rel="alternate"; type="text/csv"`, `rel="alternate"; type="image/svg+xml"`, `<` + base + `/datasets/1/une_rt_a?country=EL>; rel="canonical"`} {
		if !strings.Contains(links, want) {
			t.Errorf("the header Link has no %s: %s", want, links)
		}
	}
	for _, wrong := range []string{"?view=pie", "?colour=red", "?dim9=x", "?period=soon", "/studio?type=pie", "/studio?view=bar", "/versions?c=1"} {
		if got := ask(t, "GET", base+"/datasets/1/une_rt_a"+wrong); got.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: status %d, want 400", wrong, got.StatusCode)
		}
	}
}

// TestWaysOut follows the links of pages that have no value to show, or too many: each leads to as many
// as it says.
func TestWaysOut(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, want := range map[string]string{
		"/datasets/1/une_rt_a?dim2=Y15-74&country=RS&period_to=1995": "No value for this selection.",
		"/datasets/2/eurofxref?dim1=USD&dim1=JPY":                    "a page shows up to 10 000.",
	} {
		root := openPage(t, base+address)
		if text := strings.ReplaceAll(textOf(root), "\u202f", " "); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", address, want)
		}
		ways := elements(root, "ul", "class=ways")
		if len(ways) != 1 {
			t.Fatalf("%s shows %d lists of ways out", address, len(ways))
		}
		items := elements(ways[0], "li")
		if len(items) == 0 {
			t.Errorf("%s shows no way out", address)
		}
		for _, item := range items {
			to, _ := attribute(elements(item, "a")[0], "href")
			said := strings.TrimSuffix(strings.TrimSuffix(textOf(elements(item, "span")[0]), "s"), " value")
			shown := textOf(elements(withID(t, openPage(t, base+to), "pick"), "span", "class=mute")[0])
			if !strings.HasPrefix(shown, said+" value") {
				t.Errorf("%s says %s values, the page shows %s", to, said, shown)
			}
		}
	}
}

// TestRefusedLink follows links of a page to files until the limit is used up: then a page says so and leads back. Programs get
// the error of the interface.
func TestRefusedLink(t *testing.T) {
	base := serve(t, realStore(t), func(o *api.Options, _ *portal.Options) {
		callers, err := access.Open(t.Context(), access.Options{Dir: t.TempDir(), Limits: access.Limits{Anonymous: 1, Essential: 100, Pro: 5000}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { callers.Close() })
		o.Access = callers
	})
	const page, file = "/datasets/1/une_rt_a?country=EL", "/api/datasets/1/data.csv?country=EL"
	link := []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: document", "Referer: " + base + page}
	if got := ask(t, "GET", base+file, link...); got.StatusCode != http.StatusOK || !strings.HasPrefix(got.body, "dataset,") {
		t.Fatalf("the file: %d %.200s", got.StatusCode, got.body)
	}
	got := ask(t, "GET", base+file, link...)
	root := parse(t, got.body)
	if got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" || heading(t, root) != "Today’s requests without an account are used up" {
		t.Errorf("%d %v %.300s", got.StatusCode, got.Header, got.body)
	}
	if !regexp.MustCompile(`Time left: (\d+ h )?\d+ (min|s)`).MatchString(textOf(root)) {
		t.Errorf("the page does not say how much time is left: %s", textOf(root))
	}
	for _, address := range []string{page, "/guide/keys"} {
		if len(elements(root, "a", "href="+address)) == 0 {
			t.Errorf("the page does not lead to %s: %s", address, got.body)
		}
	}
	if got := ask(t, "GET", base+file); got.StatusCode != http.StatusTooManyRequests || !strings.HasPrefix(got.body, `{"statusCode":429`) {
		t.Errorf("a program gets %d %.200s", got.StatusCode, got.body)
	}
}

// TestAddressesOfSDMX reads the addresses in the forms of SDMX.
func TestAddressesOfSDMX(t *testing.T) {
	base := serve(t, realStore(t), nil)
	addresses := strings.Fields(example(t, openPage(t, base+"/datasets/1/une_rt_a?use=sdmx&country=EL&period_from=2018")))
	if len(addresses) != 3 {
		t.Fatalf("%d addresses: %q", len(addresses), addresses)
	}
	for _, address := range addresses {
		if got := ask(t, "GET", address); got.StatusCode != http.StatusOK || !strings.Contains(got.Header.Get("Content-Type"), "sdmx") || !strings.Contains(got.body, "17.3") {
			t.Errorf("%s: %d %.300s", address, got.StatusCode, got.body)
		}
	}
}

// TestCitedNumber cites the latest value of a page that shows one series of one area.
func TestCitedNumber(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const number = "Greece, 2019: 17.3."
	if text := textOf(withID(t, openPage(t, base+"/datasets/1/une_rt_a?country=EL"), "cite")); !strings.Contains(text, number) || !strings.Contains(text, "Percentage of active population") {
		t.Errorf("the citation is %q", text)
	}
	if text := textOf(withID(t, openPage(t, base+"/datasets/1/une_rt_a?country=EL&country=ES"), "cite")); strings.Contains(text, "2019:") {
		t.Errorf("the citation of two areas is %q", text)
	}
}

// TestOnePeriod writes the periods of a dataset that has one as one.
func TestOnePeriod(t *testing.T) {
	s := newStore(t)
	content, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "px", "ssb", "03024-WeeklyStatisticsWithTwoContent.px"))
	if err != nil {
		t.Fatal(err)
	}
	load(t, s, "03024.px", bytes.NewReader(content))
	base := serve(t, s, nil)
	for _, address := range []string{"/", "/search", "/datasets/1"} {
		got := ask(t, "GET", base+address)
		if to := got.Header.Get("Location"); to != "" {
			got = ask(t, "GET", base+to)
		}
		if text := textOf(parse(t, got.body)); strings.Contains(text, "W29/2023–") || !strings.Contains(text, "W29/2023") {
			t.Errorf("%s: %s", address, text)
		}
	}
}

// TestExamplesWithKey offers examples with a key where the service refuses callers without one, and says
// how many requests they have where it limits them.
func TestExamplesWithKey(t *testing.T) {
	for limit, want := range map[access.Limit]string{0: `-H "X-API-Key: $ALMANAC_KEY"`, 3: "Without a key: 3 requests a day. More with a key", 100: "Without a key: 100 requests a day. Example"} {
		base := serve(t, realStore(t), func(o *api.Options, pages *portal.Options) {
			callers, err := access.Open(t.Context(), access.Options{Dir: t.TempDir(), Limits: access.Limits{Anonymous: limit, Essential: 100, Pro: 5000}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { callers.Close() })
			o.Access, pages.Access = callers, callers
		})
		root := openPage(t, base+"/datasets/1/une_rt_a?country=EL")
		if text := textOf(withID(t, openPage(t, base+"/datasets/1/une_rt_a?country=EL&use=python"), "use")); !strings.Contains(text, "pip install pandas") {
			t.Errorf("the example in Python does not say what it needs: %s", text)
		}
		if text := textOf(withID(t, root, "use")); !strings.Contains(text, want) {
			t.Errorf("with %d requests a day: %s", limit, text)
		}
		if text := example(t, root); strings.Contains(text, "ALMANAC_KEY") != (limit == 0) {
			t.Errorf("with %d requests a day: %s", limit, text)
		}
	}
}

// TestExamplesRunWithKey runs the examples of a service that needs a key, which they read from the environment.
func TestExamplesRunWithKey(t *testing.T) {
	var secret string
	base := serve(t, realStore(t), func(o *api.Options, _ *portal.Options) {
		callers, err := access.Open(t.Context(), access.Options{Dir: t.TempDir(), Limits: access.Limits{Anonymous: 0, Essential: 100, Pro: 5000}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { callers.Close() })
		made, err := callers.CreateKey(t.Context(), access.KeyRequest{Account: "newsroom", Tier: access.Pro})
		if err != nil {
			t.Fatal(err)
		}
		o.Access, secret = callers, made.Secret
	})
	for _, one := range []struct{ use, file, program, want string }{
		{"curl", "example.sh", "sh", `"Greece":17.3`},
		{"python", "example.py", "python/bin/python3", "17.3"},
		{"r", "example.R", "Rscript", "17.3"},
		{"javascript", "example.mjs", "node", "Greece: 17.3"},
	} {
		t.Run(one.use, func(t *testing.T) {
			program, dir := stattest.Program(t, one.program), t.TempDir()
			code := example(t, openPage(t, base+"/datasets/1/une_rt_a?country=EL&country=ES&period_from=2018&use="+one.use))
			if err := os.WriteFile(filepath.Join(dir, one.file), []byte(code), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.Command(program, one.file)
			run.Dir, run.Env = dir, append(os.Environ(), "ALMANAC_KEY="+secret)
			if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), one.want) {
				t.Errorf("%v; the output has no %s: %s", err, one.want, out)
			}
		})
	}
}

// TestExampleWithKeyIsChosen: examples send a key to a service that needs none if the reader wants it, or is signed in and has not chosen
// otherwise.
func TestExampleWithKeyIsChosen(t *testing.T) {
	o := openOffice(t, nil)
	stranger, member := o.newReader(t), o.member(t, "ann@example.org", "Example Times", people.Owner)
	for _, c := range []struct {
		reader *reader
		query  string
		keyed  bool
	}{{stranger, "", false}, {stranger, "&key=yes", true}, {member, "", true}, {member, "&key=no", false}} {
		c.reader.open("/datasets/1/gapminder?use=python"+c.query).want(200, "/datasets/1/gapminder")
		if code := example(t, c.reader.root); strings.Contains(code, "os.environ['ALMANAC_KEY']") != c.keyed {
			t.Errorf("%q: the example is %s", c.query, code)
		}
		links, way := elements(withID(t, c.reader.root, "use"), "a", "href=/account/keys/new"), "key=yes"
		if c.keyed {
			way = "key=no"
		}
		if (len(links) == 1) != c.keyed || !strings.Contains(c.reader.text(), "environment variable ALMANAC_KEY") == c.keyed {
			t.Errorf("%q: the page does not say where the key goes", c.query)
		}
		if to, _ := attribute(elements(withID(t, c.reader.root, "use"), "a")[len(elements(withID(t, c.reader.root, "use"), "a"))-1], "href"); !strings.Contains(to, way) || !strings.Contains(to, "use=python") {
			t.Errorf("%q: the way to the other example is %s", c.query, to)
		}
	}
}

// What the interface answers is not taken for a page, whatever a browser accepts.
func TestAddressesOfTheInterface(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, status := range map[string]int{
		"/api/datasets/99": 404, "/sdmx/2.1/data/nothing": 404, "/charts/nothing.png": 404, "/healthz": 200, "/readyz": 200,
		"/openapi.json": 200, "/llms.txt": 200, "/l/alm_00000000" + strings.Repeat("0", 32) + "/data.csv": 401,
	} {
		if got := ask(t, "GET", base+address); got.StatusCode != status || strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d %s, want %d and no page", address, got.StatusCode, got.Header.Get("Content-Type"), status)
		}
	}
}
